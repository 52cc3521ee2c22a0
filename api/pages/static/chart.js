// Charts, drawn by Bokeh from the data that came with the page: [data-chart] with its drawing, when it comes into view.
// The table beside each has the same numbers, so nothing is lost where this does not run.

const HEIGHT = 260;
const MOST_LABELS = 12;
const AROUND = 100; // pixels beside the labels: the value axis and its figures
const PER_LETTER = 9;
let loaded = null; // Bokeh itself, once for all charts

function load(address) {
  return new Promise((resolve, reject) => {
    const script = document.createElement("script");
    script.src = address;
    script.onload = resolve;
    script.onerror = reject;
    document.head.append(script);
  });
}

async function bokeh(element) {
  loaded ??= (async () => {
    for (const address of element.dataset.scripts.split(" ")) await load(address);
    return window.Bokeh;
  })();
  return loaded;
}

function colour(token) {
  const probe = document.createElement("i");
  probe.hidden = true;
  probe.style.color = `var(--${token})`;
  document.body.append(probe);
  const found = getComputedStyle(probe).color;
  probe.remove();
  return found;
}

function frame(Bokeh, drawing, width) {
  const { labels, ticks } = drawing;
  const plot = Bokeh.Plotting.figure({
    height: HEIGHT,
    sizing_mode: "stretch_width",
    toolbar_location: null,
    tools: [],
    x_range: [-0.6, labels.length - 0.4],
    y_range: [ticks[0][0], ticks.at(-1)[0]],
    background_fill_alpha: 0,
    border_fill_alpha: 0,
    outline_line_color: null,
    min_border_top: 12, // half of the topmost figure of the axis
  });
  const longest = Math.max(1, ...labels.map((label) => label.length));
  const most = Math.min(MOST_LABELS, Math.max(2, Math.floor((width - AROUND) / (longest * PER_LETTER))));
  const step = Math.max(1, Math.ceil(labels.length / most));
  const shown = labels.map((_, n) => n).filter((n) => n % step === 0);
  const soft = colour("ink-soft");
  const line = colour("felt-line");
  axis(Bokeh, plot.xaxis, shown, new Map(shown.map((n) => [n, labels[n]])), soft, line);
  axis(Bokeh, plot.yaxis, ticks.map(([value]) => value), new Map(ticks), soft, line);
  plot.xgrid.grid_line_color = null;
  plot.ygrid.grid_line_color = line;
  plot.ygrid.ticker = new Bokeh.FixedTicker({ ticks: ticks.map(([value]) => value) });
  plot.add_layout(new Bokeh.Span({ location: 0, dimension: "width", line_color: soft, line_width: 1 }));
  return plot;
}

function axis(Bokeh, of, ticks, texts, soft, line) {
  of.ticker = new Bokeh.FixedTicker({ ticks });
  of.major_label_overrides = texts;
  of.axis_line_color = line;
  of.major_tick_line_color = line;
  of.minor_tick_line_color = null;
  of.major_label_text_color = soft;
  of.major_label_text_font = "system-ui";
}

const gaps = (values) => values.map((value) => value ?? NaN);

function add(Bokeh, plot, drawing, one, said) {
  const x = drawing.labels.map((_, n) => n);
  const data = { x, at: drawing.labels, said };
  const named = (name) => ({ field: name });
  let shape;
  if (one.kind === "band") {
    const whole = x.map((n) => one.low[n] !== null && one.high[n] !== null);
    data.low = x.map((n) => (whole[n] ? one.low[n] : NaN));
    data.high = x.map((n) => (whole[n] ? one.high[n] : NaN));
    const source = new Bokeh.ColumnDataSource({ data });
    return plot.varea(named("x"), named("low"), named("high"), { source, color: colour(one.colour), fill_alpha: 0.22 });
  }
  data.y = gaps(one.values);
  if (one.kind === "bars") {
    const [up, down] = [colour(one.colour), colour(one.below)];
    data.colour = one.values.map((value) => (value < 0 ? down : up));
    const source = new Bokeh.ColumnDataSource({ data });
    shape = plot.vbar({ x: named("x"), top: named("y"), width: 0.7, source, color: named("colour"), fill_alpha: 0.75 });
  } else {
    const source = new Bokeh.ColumnDataSource({ data });
    const color = colour(one.colour);
    const dash = one.dashed ? "dashed" : "solid";
    shape = plot.line(named("x"), named("y"), { source, color, line_width: 2.5, line_dash: dash });
    if (!one.dashed) plot.scatter(named("x"), named("y"), { source, color, size: 6 });
  }
  const tooltips = [["", "@at"], [one.name, "@said"]];
  plot.add_tools(new Bokeh.HoverTool({ renderers: [shape], tooltips, mode: "vline" }));
  return shape;
}

function legend(Bokeh, plot, drawing, shapes) {
  const items = shapes.map((shape, n) => new Bokeh.LegendItem({ label: drawing.series[n].name, renderers: [shape] }));
  const soft = colour("ink-soft");
  const look = { background_fill_alpha: 0, border_line_color: null, label_text_color: soft, label_text_font: "system-ui" };
  plot.add_layout(new Bokeh.Legend({ items, orientation: "horizontal", padding: 2, spacing: 16, ...look }), "above");
}

// The drawing is for the eye: the keyboard goes by it to the table beside it.
function untab(element) {
  for (const one of element.querySelectorAll("*")) {
    if (one.hasAttribute("tabindex")) one.tabIndex = -1;
    if (one.shadowRoot) untab(one.shadowRoot);
  }
}

async function draw(element) {
  const Bokeh = await bokeh(element);
  const drawing = JSON.parse(element.dataset.drawing);
  const plot = frame(Bokeh, drawing, element.clientWidth);
  const shapes = drawing.series.map((one, n) => add(Bokeh, plot, drawing, one, drawing.said[n]));
  if (shapes.length > 1) legend(Bokeh, plot, drawing, shapes);
  const place = document.createElement("div");
  place.dataset.plot = "";
  element.querySelector("[data-plot]").replaceWith(place);
  await Bokeh.Plotting.show(plot, place);
  untab(place);
  element.dataset.drawn = "";
}

const charts = new Set();

// A chart is drawn when it is seen, and again when its data or the reader's colours change.
const seen = new IntersectionObserver((entries) => {
  for (const { isIntersecting, target } of entries) {
    if (!isIntersecting) continue;
    seen.unobserve(target);
    draw(target);
    new MutationObserver(() => draw(target)).observe(target, { attributes: true, attributeFilter: ["data-drawing"] });
  }
}, { rootMargin: "200px" });

matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
  for (const element of charts) if ("drawn" in element.dataset) draw(element);
});

for (const element of document.querySelectorAll("[data-chart]")) {
  charts.add(element);
  element.hidden = false;
  seen.observe(element);
}
