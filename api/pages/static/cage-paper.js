// The print has been recorded: let the browser make it. A reload of the page makes no second one by itself.
history.replaceState(null, "", location.pathname);
window.print();
