"use strict";
// The problems: searched, sorted, filtered and opened. Whatever comes from data is written as text.
(async () => {
  const UNDECIDED = "-", UNANSWERED = ".", INFINITE = -1, BLANK = "___";
  const FIRST_ROWS = 40, MORE_ROWS = 150;
  // Costs are coloured up to this many nats, differences up to that many.
  const DEAR = 12, FAR_APART = 3;

  // ---- small things ----

  const byId = (id) => document.getElementById(id);

  // Large data are compressed: gzip, in base64.
  async function read() {
    const { type, textContent } = byId("data");
    if (type === "application/json") return JSON.parse(textContent);
    const bytes = Uint8Array.from(atob(textContent), (letter) => letter.charCodeAt(0));
    const unpacked = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
    return new Response(unpacked).json();
  }

  function make(tag, attributes = {}, ...children) {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) {
      if (value === true) element.setAttribute(name, "");
      else if (value !== false && value !== null && value !== undefined) element.setAttribute(name, value);
    }
    element.append(...children.filter((child) => child !== null && child !== undefined));
    return element;
  }

  const text = (tag, words, attributes = {}) => make(tag, { dir: "auto", ...attributes }, words);

  // A number as tables show it, without the zero before the point.
  const bare = (value, digits) => Math.abs(value).toFixed(digits).replace(/^0\./, ".");
  // Costs and margins keep their zero, as they are not shares.
  const plain = (value, digits) => (value === Infinity ? "∞" : value.toFixed(digits));
  function signed(value, digits) {
    if (value === null) return "–";
    // What is too small for the digits is not to look like nothing.
    const shown = value !== 0 && Math.abs(value) < 0.5 / 10 ** digits ? digits + 1 : digits;
    return (value < 0 ? "−" : value > 0 ? "+" : "") + plain(Math.abs(value), shown);
  }
  const decoded = (value, unit) => (value === null ? null : value === INFINITE ? Infinity : value / unit);

  function statement(words) {
    const parts = words.split(BLANK);
    return parts.flatMap((part, at) =>
      at === 0 ? [part] : [make("span", { class: "blank", role: "img", "aria-label": "blank" }, BLANK), part]);
  }

  listenToTheme();
  followContents();
  let data;
  try {
    data = await read();
  } catch (error) {
    byId("tally").textContent = "This browser cannot unpack the problems. Use a newer one, or horsesense why in a terminal.";
    return;
  }

  // ---- the data, as objects ----

  const originals = data.forms.filter((form) => form.isOriginal);
  for (const [at, form] of data.forms.entries()) {
    form.at = at;
    form.byProblem = new Map();
    form.byEntry = new Map();
    form.rows = [];
  }
  for (const [entry, listed] of data.problems) {
    for (const [at, number, words, options, right, sentences] of listed) {
      const form = data.forms[at];
      const posed = { form, row: form.rows.length, entry, number, words, options, right, sentences };
      form.rows.push(posed);
      form.byProblem.set(entry + "/" + number, posed);
      if (!form.byEntry.has(entry)) form.byEntry.set(entry, []);
      form.byEntry.get(entry).push(posed);
    }
  }
  const answers = new Map(data.answers.map((one) => [[one.model, one.form, one.method].join("\n"), one]));
  const tokens = new Map(data.tokens.map((one) => [one.model + "/" + one.form, one.rows]));
  const problems = originals.flatMap((form) => form.rows);
  for (const [at, one] of problems.entries()) {
    one.at = at;
    // As `horsesense why` takes it.
    one.name = data.entries[one.entry] + "." + one.number;
    one.sought = [one.name, one.words, ...one.options].join("\n").toLowerCase();
  }

  const sheetOf = (model, form, method) => answers.get([model, form.at, method].join("\n"));
  const standardOf = (model, form) => data.models[model].standard[form.dataset];

  // What a model answered to a posed problem by a method; null where that is undefined.
  function outcome(model, posed, method = standardOf(model, posed.form)) {
    const sheet = sheetOf(model, posed.form, method);
    const letter = sheet ? sheet.chosen[posed.row] : UNANSWERED;
    if (letter === UNANSWERED) return { verdict: "unanswered", chosen: null, margin: null };
    const chosen = letter === UNDECIDED ? null : letter.charCodeAt(0) - 48;
    const verdict = posed.right < 0 ? "unlabelled" : chosen === null ? "undecided"
      : chosen === posed.right ? "solved" : "failed";
    const size = decoded(sheet.margins[posed.row], 1000);
    const margin = size === null ? null : verdict === "failed" ? -size : size;
    return { verdict, chosen, margin };
  }

  // A model's answers to all problems of the original, by its standard method, with what is
  // noteworthy of each; made once.
  const views = new Map();
  function viewsOf(model) {
    if (!views.has(model)) {
      views.set(model, problems.map((problem) => {
        const sheet = sheetOf(model, problem.form, standardOf(model, problem.form));
        const [solving, methods] = sheet ? sheet.agreement[problem.row] : [0, 0];
        const [flips, tests] = sheet ? sheet.flips[problem.row] : [0, 0];
        const [twin, half] = sheet ? sheet.twins[problem.row] : [null, null];
        return {
          problem, ...outcome(model, problem), solving, methods, flips, tests, twin, half,
          why: sheet ? sheet.why[problem.row] : "", tags: sheet ? sheet.tags[problem.row] : [], line: null,
        };
      }));
    }
    return views.get(model);
  }

  // ---- columns ----

  const VERDICTS = { solved: 2, undecided: 1, failed: 0 };
  const SCHEMAS = ["not solved", "half solved", "solved"];
  const label = (verdict) => make("span", { class: "outcome " + verdict }, verdict);

  function choices(problem) {
    return problem.options.map((option, at) =>
      text("span", option || "(nothing)", { class: at === problem.right ? "option is-right" : "option" }));
  }

  // A key of null stands last, whichever way the column is sorted.
  const COLUMNS = [
    { name: "id", title: "Problem", key: (view) => view.problem.at,
      cell: (view) => [text("button", view.problem.name, { type: "button", class: "open", tabindex: -1, title: view.problem.name, "aria-expanded": "false", "aria-controls": "detail" })] },
    { name: "sentence", title: "Sentence", key: (view) => view.problem.words.toLowerCase(),
      cell: (view) => [make("div", {}, ...statement(view.problem.words))], attributes: { dir: "auto" } },
    { name: "options", title: "Options", key: (view) => view.problem.options.join("\n").toLowerCase(),
      cell: (view) => choices(view.problem) },
    { name: "outcome", title: "Outcome", key: (view) => VERDICTS[view.verdict] ?? null,
      cell: (view) => [label(view.verdict)], about: "With the standard method" },
    { name: "margin", title: "Margin", key: (view) => (view.verdict === "unlabelled" ? null : view.margin), isNumber: true,
      cell: (view) => [make("span", { class: view.margin < 0 ? "is-negative" : null }, signed(view.margin, 2))],
      about: "How strongly the right option is preferred; negative if another one is" },
    { name: "agreement", title: "Agreement", key: (view) => (view.methods ? view.solving / view.methods : null), isNumber: true,
      cell: (view) => [view.methods ? view.solving + " of " + view.methods : "–"], about: "How many methods solve it" },
    { name: "flips", title: "Flips", key: (view) => (view.tests ? view.flips + 1 / (1 + view.tests) : null), isNumber: true,
      cell: (view) => [view.tests ? view.flips + " of " + view.tests : "–"],
      about: "Number of consistency tests in which it changes from solved to failed or back" },
    { name: "schema", title: "Schema", key: (view) => view.half, cell: (view) => [SCHEMAS[view.half] ?? "–"],
      about: "Whether both problems of the schema are solved, one, or neither" },
  ];

  // ---- state, filters and order ----

  const state = { model: 0, sort: "id", isDescending: false, shown: [], drawn: 0, cursor: 0, open: null };
  state.model = Math.max(0, data.models.findIndex((model) => !model.isBaseline));

  function isWanted(view, wanted) {
    return wanted.words.every((word) => view.problem.sought.includes(word))
      && (wanted.dataset === "" || view.problem.form.dataset === Number(wanted.dataset))
      && (wanted.outcome === "" || view.verdict === wanted.outcome)
      && (wanted.flipped === "" || (view.flips > 0) === (wanted.flipped === "yes"))
      && (wanted.schema === "" || view.half === Number(wanted.schema))
      && (wanted.tag === "" || view.tags.includes(Number(wanted.tag)));
  }

  function inOrder(found) {
    const { key } = COLUMNS.find((column) => column.name === state.sort);
    const way = state.isDescending ? -1 : 1;
    const compare = (one, two) => (one < two ? -1 : one > two ? 1 : 0);
    return found
      .map((view) => [key(view), view])
      .sort(([one, first], [two, second]) =>
        (one === null) - (two === null) || way * compare(one, two) || first.problem.at - second.problem.at)
      .map(([, view]) => view);
  }

  function choose() {
    const value = (id) => byId(id).value;
    const wanted = {
      words: value("search").toLowerCase().split(/\s+/).filter(Boolean),
      dataset: value("dataset"), outcome: value("outcome"), flipped: value("flipped"),
      schema: value("schema"), tag: value("tag"),
    };
    state.shown = inOrder(viewsOf(state.model).filter((view) => isWanted(view, wanted)));
    state.cursor = Math.max(0, state.shown.findIndex((view) => view.problem === state.open));
    tally();
    drawAnew();
  }

  function tally() {
    const counts = { solved: 0, undecided: 0, failed: 0 };
    for (const view of state.shown) if (view.verdict in counts) counts[view.verdict] += 1;
    const [all, known] = [state.shown.length, counts.solved + counts.undecided + counts.failed];
    const words = [all.toLocaleString("en") + " of " + problems.length.toLocaleString("en") + " problems"];
    if (known) words.push(counts.solved + " solved (" + bare(counts.solved / known, 3) + ")");
    if (counts.undecided) words.push(counts.undecided + " undecided");
    byId("tally").textContent = words.join(" · ");
    for (const part of byId("bar").children) part.style.flex = String(counts[part.className]);
  }

  // ---- rows: the first at once, the others as they come into sight ----

  function line(view) {
    if (view.line === null) {
      view.line = make("tr", {}, ...COLUMNS.map((column) =>
        make("td", { class: "c-" + column.name + (column.isNumber ? " right" : ""), ...column.attributes },
          ...column.cell(view))));
      view.line.view = view;
    }
    return view.line;
  }

  function draw(count) {
    const next = state.shown.slice(state.drawn, state.drawn + count);
    state.drawn += next.length;
    byId("body").append(...next.map(line));
  }

  function drawAnew() {
    state.drawn = 0;
    byId("body").replaceChildren();
    byId("rows").scrollTop = 0;
    draw(FIRST_ROWS);
    if (!state.shown.length) {
      byId("body").append(make("tr", { class: "empty" },
        make("td", { colspan: COLUMNS.length }, "No problems match. Search for fewer words, or reset the filters.")));
    }
    place();
  }

  const buttonOf = (view) => view.line.querySelector("button");

  // The one row that the Tab key reaches, and the one that is open.
  function place() {
    for (const row of byId("body").querySelectorAll("tr.is-open, tr.is-here")) {
      row.classList.remove("is-open", "is-here");
      row.querySelector("button").tabIndex = -1;
      row.querySelector("button").setAttribute("aria-expanded", "false");
    }
    const here = state.shown[state.cursor];
    if (here && here.line) {
      here.line.classList.add("is-here");
      buttonOf(here).tabIndex = 0;
    }
    const open = state.shown.find((view) => view.problem === state.open);
    if (open && open.line) {
      open.line.classList.add("is-open");
      buttonOf(open).setAttribute("aria-expanded", "true");
    }
  }

  function move(to, focus = true) {
    if (!state.shown.length) return;
    state.cursor = Math.min(Math.max(to, 0), state.shown.length - 1);
    while (state.drawn <= state.cursor) draw(MORE_ROWS);
    place();
    const view = state.shown[state.cursor];
    if (focus && !isOverlay()) buttonOf(view).focus({ preventScroll: true });
    view.line.scrollIntoView({ block: "nearest" });
    if (state.open) open(view);
  }

  // ---- one problem ----

  const isOverlay = () => state.open && matchMedia("(max-width: 60rem)").matches;

  function open(view) {
    state.open = view.problem;
    const detail = byId("detail");
    detail.replaceChildren(...pane(view));
    detail.hidden = false;
    detail.scrollTop = 0;
    byId("bench").classList.add("is-open");
    document.documentElement.classList.add("is-reading");
    place();
    view.line?.scrollIntoView({ block: "nearest" });
    remember("#problem=" + [data.datasets[view.problem.form.dataset].name, view.problem.name].map(encodeURIComponent).join("/"));
  }

  function close() {
    if (!state.open) return;
    state.open = null;
    byId("detail").hidden = true;
    byId("bench").classList.remove("is-open");
    document.documentElement.classList.remove("is-reading");
    place();
    const view = state.shown[state.cursor];
    if (view && view.line) {
      buttonOf(view).focus({ preventScroll: true });
      view.line.scrollIntoView({ block: "nearest" });
    }
    remember("#problems");
  }

  function remember(hash) {
    try { history.replaceState(null, "", hash); } catch (error) { /* some browsers forbid it for files */ }
  }

  function pane(view) {
    const { problem } = view;
    return [
      header(view),
      make("p", { class: "statement", dir: "auto" }, ...statement(problem.words)),
      make("ul", { class: "choices" }, ...problem.options.map((option, at) => choice(option, at, view))),
      view.why ? text("p", view.why, { class: "why" }) : null,
      ...twinOf(view),
      make("p", {}, ...inWords(view)),
      make("ul", { class: "tags", "aria-label": "Tags" }, ...view.tags.map((tag) => text("li", data.tags[tag]))),
      ...tokenLines(problem),
      ...byMethods(problem),
      ...byModels(problem),
      ...underPerturbations(problem),
    ].filter((part) => part !== null);
  }

  function header(view) {
    const button = (words, what, does) => {
      const made = make("button", { type: "button", class: "plain", "aria-label": what, title: what }, words);
      made.addEventListener("click", does);
      return made;
    };
    const dataset = data.datasets[view.problem.form.dataset].name;
    return make("div", { class: "top" },
      make("h3", {}, text("span", view.problem.name), text("small", dataset + " · " + data.models[state.model].name)),
      button("↑", "Previous problem (k)", () => move(state.cursor - 1)),
      button("↓", "Next problem (j)", () => move(state.cursor + 1)),
      button("✕", "Close (Esc)", close));
  }

  function choice(option, at, view) {
    const isRight = at === view.problem.right, isChosen = at === view.chosen;
    const marks = [isRight ? "right" : "", isChosen ? "preferred" : ""].filter(Boolean).join(", ");
    const looks = isRight ? "is-right" : isChosen && view.problem.right >= 0 ? "is-wrongly-chosen" : null;
    return make("li", { class: looks }, text("span", option || "(nothing)"), marks ? make("small", {}, marks) : null);
  }

  function inWords(view) {
    const method = standardOf(state.model, view.problem.form);
    if (view.verdict === "unanswered") return ["The standard method gave no answer."];
    const words = [label(view.verdict), " by ", make("b", {}, method)];
    if (view.margin !== null) words.push(", with a margin of " + signed(view.margin, 2));
    if (view.methods > 1) words.push("; " + view.solving + " of " + view.methods + " methods solve it");
    if (view.tests) words.push("; it flips in " + view.flips + " of " + view.tests + " consistency tests");
    return [...words, "."];
  }

  // ---- tokens ----

  function tokenLines(problem) {
    const found = (tokens.get(state.model + "/" + problem.form.at) ?? {})[problem.row];
    const title = make("h4", {}, "Token by token");
    const standard = standardOf(state.model, problem.form);
    if (!found) return [title, ...filledIn(problem)];
    const lines = problem.options.map((option, at) => ({ option, at, tokens: decodedTokens(found[at]) }))
      .filter((one) => one.tokens !== null);
    const readout = make("p", { class: "readout", "aria-live": "polite" }, "Hover over a token, or move along a line with the arrow keys.");
    const drawn = lines.map(({ option, at, tokens: listed }) =>
      block([text("b", option || "(nothing)"), (at === problem.right ? " right, " : " ") + "total cost " + total(listed)],
        listed.map((one) => ({ ...one, shown: one.cost === null ? "–" : plain(one.cost, 2), heat: one.isLeftOut ? 0 : Math.min((one.cost ?? 0) / DEAR, 1),
          says: "“" + one.text + "” " + (one.isLeftOut ? "is not counted by " + standard + "; it " : "") + "costs " + (one.cost === null ? "an unknown amount" : plain(one.cost, 2) + " nats, probability " + percent(one.cost)) })),
        readout));
    const sides = problem.right >= 0 && lines.length === 2 ? differences(lines, problem.right) : null;
    if (sides) {
      drawn.push(block(["Difference: how much more each token costs in the sentence with the wrong option"], sides, readout));
    }
    const isAnyLeftOut = lines.some((one) => one.tokens.some((token) => token.isLeftOut));
    return [title, ...drawn, readout, legend(sides !== null, isAnyLeftOut ? standard : null)];
  }

  function filledIn(problem) {
    const sentences = problem.sentences ?? problem.options.map((option) => problem.words.replaceAll(BLANK, option));
    return [make("p", {}, "No token costs were stored for this model."), ...sentences.map((sentence) => text("p", sentence, { class: "said" }))];
  }

  function decodedTokens(option) {
    if (!option) return null;
    const [texts, costs, parts, from, to] = option;
    return texts.map((which, at) => ({
      isLeftOut: from !== undefined && (at < from || at >= to),
      text: data.texts[which].replace(/^[Ġ▁+ ]+(?=.)/, ""),
      isContinued: /^\+./.test(data.texts[which]),
      part: data.parts[parts.charCodeAt(at) - 48],
      cost: decoded(costs[at], 100),
    }));
  }

  const percent = (cost) => {
    const share = 100 * Math.exp(-cost);
    return (share >= 0.01 ? share.toPrecision(2) : "< 0.01") + " %";
  };
  const total = (listed) => plain(listed.reduce((sum, one) => sum + (one.cost ?? 0), 0), 2);

  function block(title, listed, readout) {
    const line = make("div", { class: "line", tabindex: 0, role: "group", "aria-label": "Tokens" }, ...listed.map(token));
    let at = -1;
    const read = (to) => {
      line.children[at]?.classList.remove("is-read");
      at = Math.min(Math.max(to, 0), listed.length - 1);
      line.children[at].classList.add("is-read");
      readout.textContent = listed[at].says;
    };
    line.addEventListener("focus", () => { line.children[at]?.classList.remove("is-read"); at = -1; });
    line.addEventListener("keydown", (event) => {
      const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
      if (step) { event.preventDefault(); event.stopPropagation(); read(at + step); }
    });
    line.addEventListener("pointerover", (event) => {
      const over = event.target.closest(".token");
      if (over) read([...line.children].indexOf(over));
    });
    return make("div", { class: "tokens" }, make("p", {}, ...title), line);
  }

  function token(one) {
    const looks = ["token", one.part === "blank" || one.part === "phrase" ? "of-blank" : "", one.isContinued ? "is-continued" : "", one.isLeftOut ? "is-left-out" : "", one.looks ?? ""];
    const made = make("span", { class: looks.filter(Boolean).join(" ") }, text("bdi", one.text || "␣"), make("small", {}, one.shown));
    made.style.setProperty("--heat", one.heat.toFixed(3));
    return made;
  }

  // What stands in both sentences is compared token by token, what was filled in as a whole.
  function differences(lines, right) {
    const [good, bad] = [lines.find((one) => one.at === right).tokens, lines.find((one) => one.at !== right).tokens];
    const around = (listed) => listed.filter((one) => one.part !== "blank");
    const [kept, other] = [around(good), around(bad)];
    if (kept.length !== other.length || kept.some((one, at) => one.text !== other[at].text)) return null;
    const sum = (listed) => listed.filter((one) => one.part === "blank").reduce((all, one) => all + (one.cost ?? 0), 0);
    const side = (one, difference) => ({
      ...one, shown: signed(difference, 2), heat: Math.min(Math.abs(difference ?? 0) / FAR_APART, 1),
      looks: one.isLeftOut ? "" : difference > 0 ? "speaks-for" : difference < 0 ? "speaks-against" : "",
      says: "“" + one.text + "” " + (difference === null ? "cannot be compared" : Math.abs(difference) < 0.005 ? "costs the same in both"
        : "favours the " + (difference > 0 ? "right" : "wrong") + " option by " + plain(Math.abs(difference), 2) + " nats"),
    });
    const made = [];
    let at = 0, isFilled = false;
    for (const one of good) {
      if (one.part !== "blank") {
        const difference = one.cost === null || other[at].cost === null ? null : other[at].cost - one.cost;
        made.push(side(one, difference));
        at += 1;
      } else if (!isFilled) {
        isFilled = true;
        made.push(side({ ...one, text: "blank", isContinued: false }, sum(bad) - sum(good)));
      }
    }
    return made;
  }

  function legend(hasSides, leavesOut) {
    const entry = (look, from, to) => make("span", {}, from, make("i", { class: look }), to);
    return make("p", { class: "legend" }, entry("costs", "cost 0", DEAR + " nats and more"),
      hasSides ? entry("sides", "favours the wrong option", "the right one") : null,
      leavesOut ? make("span", { class: "left-out-key" }, make("bdi", {}, "grey"), "not counted by " + leavesOut) : null);
  }

  // ---- methods, models, perturbations, twin ----

  // No bars here: the margins of two methods, or of two models, are in different units.
  function decisions(what, listed) {
    const head = make("tr", {}, ...[what, "outcome", "prefers"].map((name) => make("th", { scope: "col" }, name)),
      make("th", { scope: "col", class: "right" }, "margin"));
    return make("table", {}, make("thead", {}, head), make("tbody", {}, ...listed.map(({ name, isStandard, found, options }) =>
      make("tr", {}, make("td", {}, text("bdi", name), isStandard ? make("small", {}, " standard") : null), make("td", {}, label(found.verdict)),
        text("td", found.chosen === null ? "–" : options[found.chosen] || "(nothing)"),
        make("td", { class: "right" }, signed(found.margin, 2))))));
  }

  function byMethods(problem) {
    const standard = standardOf(state.model, problem.form);
    const listed = data.models[state.model].methods.map((name) =>
      ({ name, isStandard: name === standard, found: outcome(state.model, problem, name), options: problem.options }));
    return [make("h4", {}, "Decision of each scoring method"), decisions("method", listed)];
  }

  function byModels(problem) {
    if (data.models.length < 2) return [];
    const listed = data.models.map((model, at) => ({ name: model.name, found: outcome(at, problem), options: problem.options }));
    return [make("h4", {}, "Decision of each model, with its standard method"), decisions("model", listed)];
  }

  function underPerturbations(problem) {
    const forms = data.forms.filter((form) => form.dataset === problem.form.dataset && !form.isOriginal);
    if (!forms.length) return [];
    const groups = [
      ["Consistency tests: the answer should stay the same", forms.filter((form) => form.canFlip)],
      ["Other variants of the same schema", forms.filter((form) => !form.canFlip && form.purpose !== "control")],
      ["Controls: the words that decide the answer are removed", forms.filter((form) => form.purpose === "control")],
    ].map(([title, members]) => [title, members.filter((form) => counterparts(form, problem).length)]);
    const posed = [problem, ...groups.flatMap(([, members]) => members.flatMap((form) => counterparts(form, problem)))];
    const sizes = posed.map((one) => Math.abs(outcome(state.model, one).margin ?? 0));
    const most = Math.max(0, ...sizes.filter(Number.isFinite));
    const missing = forms.filter((form) => !counterparts(form, problem).length).map((form) => form.name);
    return [
      make("h4", {}, "Perturbations and other variants"),
      underOne(problem.form, [problem], problem, most),
      ...groups.filter(([, members]) => members.length).flatMap(([title, members]) =>
        [make("h5", {}, title), ...members.map((form) => underOne(form, counterparts(form, problem), problem, most))]),
      missing.length ? make("p", { class: "legend" }, "Not applicable: " + missing.join(", ") + ".") : "",
    ];
  }

  function counterparts(form, problem) {
    if (!form.corresponds) return form.byEntry.get(problem.entry) ?? [];
    const one = form.byProblem.get(problem.entry + "/" + problem.number);
    return one ? [one] : [];
  }

  function underOne(form, posed, problem, most) {
    return make("div", { class: "posed" },
      make("div", { class: "form" }, form.name, make("small", {}, form.title)),
      make("div", {}, ...posed.map((one) => said(one, problem, most))));
  }

  function said(one, problem, most) {
    const [before, after] = [outcome(state.model, problem), outcome(state.model, one)];
    const decided = ["solved", "failed"];
    const isFlip = one.form.canFlip && after.verdict !== before.verdict
      && decided.includes(after.verdict) && decided.includes(before.verdict);
    const named = one.options.map((option, at) =>
      text("bdi", (option || "(nothing)") + (at === one.right ? " ✓" : ""), { class: at === after.chosen ? "is-chosen" : null }));
    return make("div", { class: "said" },
      make("div", { dir: "auto" }, ...(one.form.corresponds ? changes(problem.words, one.words) : statement(one.words))),
      make("div", { class: "verdict-line" }, label(after.verdict), make("span", { class: "number" }, signed(after.margin, 2)),
        meter(after.margin, most), isFlip ? make("span", { class: "flip" }, "flips") : null, ...named));
  }

  function meter(margin, most) {
    const bar = make("span", { class: margin < 0 ? "meter against" : "meter for", "aria-hidden": "true" });
    bar.style.setProperty("--size", most ? Math.min(Math.abs(margin ?? 0) / most, 1).toFixed(3) : "0");
    return bar;
  }

  // The words of a perturbed statement, those marked that the original has not in that place.
  function changes(before, after) {
    const [old, now] = [before.split(" "), after.split(" ")];
    const longest = Array.from({ length: old.length + 1 }, () => new Array(now.length + 1).fill(0));
    for (let i = old.length - 1; i >= 0; i -= 1) {
      for (let j = now.length - 1; j >= 0; j -= 1) {
        longest[i][j] = old[i] === now[j] ? longest[i + 1][j + 1] + 1 : Math.max(longest[i + 1][j], longest[i][j + 1]);
      }
    }
    const made = [];
    for (let i = 0, j = 0; j < now.length;) {
      if (i < old.length && old[i] === now[j]) { made.push(...statement(now[j]), " "); i += 1; j += 1; }
      else if (i < old.length && longest[i + 1][j] >= longest[i][j + 1]) i += 1;
      else { made.push(make("span", { class: "changed" }, ...statement(now[j])), " "); j += 1; }
    }
    return made;
  }

  function twinOf(view) {
    const { problem } = view;
    const twin = view.twin === null ? null : problem.form.byProblem.get(problem.entry + "/" + view.twin);
    if (!twin) return [make("p", { class: "twin" }, "This problem has no twin.")];
    const go = make("button", { type: "button", class: "plain" }, "Open");
    go.addEventListener("click", () => show(twin));
    const found = outcome(state.model, twin);
    const preferred = found.chosen === null ? "" : " " + (twin.options[found.chosen] || "(nothing)");
    return [
      make("div", { class: "twin" }, make("div", {}, make("small", {}, "Twin"), make("p", { dir: "auto" }, ...changes(problem.words, twin.words)),
        label(found.verdict), text("bdi", preferred), " " + signed(found.margin, 2) + " · schema " + SCHEMAS[view.half]), go),
    ];
  }

  // Open a problem wherever it is; filters that hide it do not matter.
  function show(problem) {
    const at = state.shown.findIndex((view) => view.problem === problem);
    if (at >= 0) {
      state.open = problem;
      move(at);
    } else {
      open(viewsOf(state.model)[problem.at]);
    }
  }

  // ---- controls ----

  function fillControls() {
    const option = (value, words) => make("option", { value }, words);
    byId("model").append(...data.models.map((model, at) => option(at, model.name + (model.isBaseline ? " (baseline)" : ""))));
    byId("model").value = state.model;
    byId("dataset").append(...data.datasets.map((dataset, at) => option(at, dataset.name)));
    byId("tag").append(...data.tags.map((tag, at) => [tag, at]).sort().map(([tag, at]) => option(at, tag)));
    byId("sort").append(...COLUMNS.flatMap((column) =>
      [option(column.name + " up", column.title + " ↑"), option(column.name + " down", column.title + " ↓")]));
    byId("heads").append(...COLUMNS.map((column) => {
      const button = make("button", { type: "button", title: column.about }, column.title);
      button.addEventListener("click", () => sortBy(column.name, state.sort === column.name && !state.isDescending));
      return make("th", { scope: "col", class: "c-" + column.name + (column.isNumber ? " right" : ""), id: "head-" + column.name }, button);
    }));
    for (const id of ["model", "dataset", "tag"]) {
      if (byId(id).options.length < (id === "model" ? 2 : 3)) byId(id).closest("label").hidden = true;
    }
  }

  function sortBy(name, isDescending) {
    state.sort = name;
    state.isDescending = isDescending;
    byId("sort").value = name + (isDescending ? " down" : " up");
    for (const column of COLUMNS) {
      const way = column.name !== name ? "none" : isDescending ? "descending" : "ascending";
      byId("head-" + column.name).setAttribute("aria-sort", way);
    }
    choose();
  }

  function listen() {
    const form = document.querySelector(".filters");
    form.addEventListener("input", (event) => {
      if (event.target.id === "sort") {
        const [name, way] = event.target.value.split(" ");
        sortBy(name, way === "down");
        return;
      }
      if (event.target.id === "model") {
        state.model = Number(event.target.value);
        if (state.open) open(viewsOf(state.model)[state.open.at]);
      }
      choose();
    });
    form.addEventListener("submit", (event) => event.preventDefault());
    form.addEventListener("reset", () => setTimeout(() => {
      byId("model").value = state.model;
      sortBy("id", false);
    }));
    byId("body").addEventListener("click", (event) => {
      const view = event.target.closest("tr")?.view;
      if (!view) return;
      // Whoever marks words to copy them does not want to open the problem.
      const marked = getSelection();
      if (event.detail > 0 && !marked.isCollapsed && marked.containsNode(view.line, true)) return;
      state.cursor = state.shown.indexOf(view);
      open(view);
      if (isOverlay()) byId("detail").focus();
      else buttonOf(view).focus({ preventScroll: true });
    });
    new IntersectionObserver((seen) => {
      if (seen.some((one) => one.isIntersecting)) draw(MORE_ROWS);
    }, { rootMargin: "600px" }).observe(byId("more"));
    byId("rows").addEventListener("scroll", (event) => {
      const { scrollTop, clientHeight, scrollHeight } = event.target;
      if (scrollTop + clientHeight > scrollHeight - 1200) draw(MORE_ROWS);
    }, { passive: true });
    document.addEventListener("keydown", pressed);
  }

  function pressed(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const isTyping = event.target.matches?.("input, select, textarea");
    const isInside = byId("rows").contains(event.target);
    const { key } = event;
    if (key === "Escape") {
      if (event.target === byId("search") && byId("search").value) { byId("search").value = ""; choose(); }
      else close();
    } else if (key === "/" && !isTyping) {
      event.preventDefault();
      byId("search").focus();
    } else if (event.target === byId("search") && (key === "ArrowDown" || key === "Enter")) {
      event.preventDefault();
      move(state.cursor);
    } else if (isTyping) {
      return;
    } else if (key === "j" || (isInside && key === "ArrowDown")) {
      event.preventDefault();
      move(state.cursor + (byId("body").contains(event.target) || state.open ? 1 : 0));
    } else if (key === "k" || (isInside && key === "ArrowUp")) {
      event.preventDefault();
      move(state.cursor - 1);
    } else if (isInside && key === "Home") {
      event.preventDefault();
      move(0);
    } else if (isInside && key === "End") {
      event.preventDefault();
      move(state.shown.length - 1);
    }
  }

  // ---- the page around them ----

  function listenToTheme() {
    const root = document.documentElement;
    for (const input of document.querySelectorAll(".theme input")) {
      input.checked = input.value === (root.dataset.theme ?? "auto");
      input.addEventListener("change", () => {
        if (input.value === "auto") delete root.dataset.theme;
        else root.dataset.theme = input.value;
        try { localStorage.setItem("horsesense-theme", input.value); } catch (error) { /* not kept */ }
      });
    }
  }

  // Where in the page the reader is.
  function followContents() {
    const links = [...document.querySelectorAll(".contents > ol > li > a")];
    const sections = links.map((link) => document.querySelector(link.hash));
    const mark = () => {
      const at = sections.findLastIndex((section) => section.getBoundingClientRect().top < innerHeight / 3);
      links.forEach((link, place) => (place === at ? link.setAttribute("aria-current", "true") : link.removeAttribute("aria-current")));
    };
    addEventListener("scroll", () => requestAnimationFrame(mark), { passive: true });
    mark();
  }

  // What is linked to is opened; what is printed is whole.
  function openWhatIsNeeded() {
    const reach = () => {
      if (location.hash.startsWith("#problem=")) {
        const [dataset, name] = location.hash.slice("#problem=".length).split("/").map(decodeURIComponent);
        const problem = problems.find((one) => one.name === name && data.datasets[one.form.dataset].name === dataset);
        if (problem) { show(problem); byId("problems").scrollIntoView(); }
        return;
      }
      const target = location.hash.length > 1 ? byId(decodeURIComponent(location.hash.slice(1))) : null;
      const folded = target?.closest("details");
      if (folded) { folded.open = true; target.scrollIntoView(); }
    };
    let closed = [];
    addEventListener("hashchange", reach);
    addEventListener("beforeprint", () => {
      draw(Infinity);
      closed = [...document.querySelectorAll("details:not([open])")];
      for (const one of closed) one.open = true;
    });
    addEventListener("afterprint", () => { for (const one of closed) one.open = false; });
    reach();
  }

  fillControls();
  sortBy("id", false);
  listen();
  openWhatIsNeeded();
})();
