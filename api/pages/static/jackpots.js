// Meters as they move; where a hit comes, is paid or rejected, the page is shown anew, unless somebody is typing.
import { Feed } from "./feed.js";

class Jackpots extends Feed {
  take(name, data) {
    super.take(name, data);
    if (name !== "meter" && !document.querySelector("main :focus")) this.again();
  }

  again() {
    clearTimeout(this.waiting);
    this.waiting = setTimeout(() => location.reload(), 600);
  }
}

new Jackpots("/live/jackpots");
