// Tables that sort and filter, and plots that are drawn when they come into view. Without it the page
// is whole, but still.
"use strict";

const number = (cell) => (cell.dataset.v === undefined ? cell.textContent : cell.dataset.v);

const compare = (one, other) => {
  const a = number(one), b = number(other), x = parseFloat(a), y = parseFloat(b);
  const isNumber = (text) => /^-?(\d|inf|\.\d)/i.test(text.trim());
  if (isNumber(a) && isNumber(b)) {
    return (a === "inf" ? Infinity : x) - (b === "inf" ? Infinity : y) || 0;
  }
  if (isNumber(a) !== isNumber(b)) return isNumber(a) ? -1 : 1; // what is missing comes last
  return a.localeCompare(b, undefined, { numeric: true });
};

function sort(table, column, heading) {
  const down = heading.getAttribute("aria-sort") === "ascending";
  for (const other of table.tHead.rows[0].cells) other.removeAttribute("aria-sort");
  heading.setAttribute("aria-sort", down ? "descending" : "ascending");
  const body = table.tBodies[0];
  const rows = [...body.rows].sort((a, b) => compare(a.cells[column], b.cells[column]));
  body.append(...(down ? rows.reverse() : rows));
}

function filter(table, text, note) {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  let shown = 0;
  for (const row of table.tBodies[0].rows) {
    const content = row.textContent.toLowerCase();
    row.hidden = !words.every((word) => content.includes(word));
    shown += !row.hidden;
  }
  note.textContent = words.length ? `${shown} of ${table.tBodies[0].rows.length} rows` : "";
}

function equip(sheet) {
  const table = sheet.querySelector("table"), rows = table.tBodies[0].rows.length;
  const bar = document.createElement("div");
  bar.className = "bar";
  if (rows > 5) {
    const input = document.createElement("input"), note = document.createElement("span");
    input.type = "search";
    input.placeholder = "Filter rows";
    input.setAttribute("aria-label", `Filter the rows of ${sheet.getAttribute("aria-label")}`);
    note.setAttribute("aria-live", "polite");
    input.addEventListener("input", () => filter(table, input.value, note));
    bar.append(input, note);
  }
  const more = table.tHead.querySelectorAll(".more").length;
  if (more) {
    const button = document.createElement("button");
    const label = () => {
      const all = table.classList.contains("all");
      button.textContent = all ? "Fewer columns" : `All columns (${more} more)`;
      button.setAttribute("aria-pressed", String(all));
    };
    button.type = "button";
    button.addEventListener("click", () => { table.classList.toggle("all"); label(); });
    label();
    bar.append(button);
  }
  if (bar.childNodes.length) sheet.before(bar);
  [...table.tHead.rows[0].cells].forEach((heading, column) => {
    const button = document.createElement("button");
    button.type = "button";
    button.append(...heading.childNodes);
    button.addEventListener("click", () => sort(table, column, heading));
    heading.append(button);
  });
}

// --- plots -------------------------------------------------------------------------------

const specs = JSON.parse(document.getElementById("charts").textContent);
const dark = matchMedia("(prefers-color-scheme: dark)");

function look() {
  const style = getComputedStyle(document.documentElement);
  const [ink, soft, line] = ["--ink", "--soft", "--line"].map((name) => style.getPropertyValue(name).trim());
  const text = { labelColor: ink, titleColor: ink, labelFontSize: 12, titleFontSize: 12 };
  return {
    background: "transparent",
    view: { stroke: "transparent" },
    axis: { ...text, gridColor: line, domainColor: soft, tickColor: soft, labelLimit: 160, labelSeparation: 8, titleFontWeight: "normal" },
    legend: { ...text, symbolType: "stroke", symbolStrokeWidth: 3 },
    text: { color: ink },
  };
}

// A click on an instance looks it up in the table of all instances.
function drill(plot, datum) {
  if (!datum || !datum.instance) return;
  const article = plot.closest("article");
  const sheet = article.querySelector('.sheet[aria-label="Instances"]');
  const input = sheet && sheet.previousElementSibling && sheet.previousElementSibling.querySelector("input");
  if (!input) return;
  input.value = datum.instance;
  input.dispatchEvent(new Event("input"));
  sheet.scrollIntoView({ block: "center" });
  input.focus({ preventScroll: true });
}

async function draw(plot) {
  watch.unobserve(plot);
  const spec = structuredClone(specs[plot.dataset.chart]);
  delete spec.config;
  const options = { actions: false, renderer: "svg", config: look() };
  const { view } = await window.vegaEmbed(plot, spec, options);
  view.addEventListener("click", (event, item) => drill(plot, item && item.datum));
  plot.dataset.drawn = "yes";
}

const watch = new IntersectionObserver(
  (entries) => entries.filter((entry) => entry.isIntersecting).forEach((entry) => draw(entry.target)),
  { rootMargin: "300px" },
);

document.querySelectorAll(".sheet").forEach(equip);
const plots = [...document.querySelectorAll(".plot")];
plots.forEach((plot) => watch.observe(plot));
dark.addEventListener("change", () => plots.filter((plot) => plot.dataset.drawn).forEach(draw));
addEventListener("beforeprint", () => {
  document.querySelectorAll("details").forEach((details) => { details.open = true; });
  plots.filter((plot) => !plot.dataset.drawn).forEach(draw);
});
document.documentElement.dataset.ready = "yes";
