const rowsOfPage = 50;

function cell(row, content, className = '') {
  const one = row.insertCell();
  one.className = className;
  one.append(content);
}

/** The events as a table, a page at a time: the same history for those who do not see the picture. */
export class EventTable {
  #element;
  #pager;
  #onSelect;
  #events = [];
  #page = 0;
  #selected;

  /** @param onSelect told of the sequence of an event that somebody chose. */
  constructor(element, pager, onSelect) {
    this.#element = element;
    this.#pager = pager;
    this.#onSelect = onSelect;
  }

  /** New events, behind those that are there: the page that is shown stays. */
  setEvents(events) {
    const isShownWhole = this.#events.length >= (this.#page + 1) * rowsOfPage;
    this.#events = events;
    if (isShownWhole) this.#showPager();
    else this.#show();
  }

  /** Marks an event and turns to its page. */
  select(sequence, index) {
    this.#selected = sequence;
    this.#page = Math.floor(index / rowsOfPage);
    this.#show();
  }

  #show() {
    const table = document.createElement('table');
    const head = table.createTHead().insertRow();
    for (const label of ['Sequence', 'Event', 'What', 'Step', 'Recorded (UTC)'])
      head.append(Object.assign(document.createElement('th'), { scope: 'col', textContent: label }));
    const body = table.createTBody();
    for (const event of this.#events.slice(this.#page * rowsOfPage, (this.#page + 1) * rowsOfPage))
      this.#addRow(body.insertRow(), event);
    this.#element.replaceChildren(table);
    this.#showPager();
  }

  #addRow(row, { sequence, event_type, recorded_at, payload }) {
    const button = Object.assign(document.createElement('button'), { type: 'button', textContent: sequence });
    button.ariaLabel = `Show event ${sequence}`;
    button.addEventListener('click', () => this.#onSelect(sequence));
    if (sequence === this.#selected) row.ariaCurrent = 'true';
    const what = payload.activity_type ?? payload.signal_name ?? payload.condition_key ?? payload.child_workflow_type;
    cell(row, button);
    cell(row, event_type);
    cell(row, what ?? payload.change_id ?? '');
    cell(row, payload.sequence ?? '', 'number');
    cell(row, recorded_at.slice(0, 23).replace('T', ' '));
  }

  #showPager() {
    const pages = Math.max(1, Math.ceil(this.#events.length / rowsOfPage));
    const turn = (label, by) => {
      const button = Object.assign(document.createElement('button'), { type: 'button', textContent: label });
      button.disabled = this.#page + by < 0 || this.#page + by >= pages;
      button.addEventListener('click', () => {
        this.#page += by;
        this.#show();
      });
      return button;
    };
    const where = document.createElement('span');
    where.textContent = `Page ${this.#page + 1} of ${pages}`;
    this.#pager.replaceChildren(turn('Previous', -1), where, turn('Next', 1));
  }
}
