/** Characters of a payload that are shown; the API has it whole. */
const shownCharacters = 50_000;

function element(name, text, properties = {}) {
  return Object.assign(document.createElement(name), { textContent: text, ...properties });
}

/** Shows one event with what it holds. @param lane the lane it belongs to. */
export function showEvent(panel, runId, event, lane) {
  const { sequence, event_type, recorded_at, payload } = event;
  const text = JSON.stringify(payload, null, 2);
  const child = payload.child_workflow_run_id ?? payload.continued_to_run_id;
  const links = element('p', '');
  const api = `/api/runs/${runId}/history?after=${BigInt(sequence) - 1n}&limit=1`;
  links.append(element('a', 'As JSON', { href: api }));
  if (child) links.append(' · ', element('a', 'Open its run', { href: `/runs/${child}` }));
  panel.replaceChildren(
    element('h3', event_type),
    element('p', `${sequence} · ${lane.name} · ${recorded_at.slice(0, 23).replace('T', ' ')} UTC`, {
      className: 'muted',
    }),
    ...(payload.message ? [element('p', payload.message, { className: 'problem' })] : []),
    links,
    element('pre', text.length > shownCharacters ? `${text.slice(0, shownCharacters)}\n…` : text, { tabIndex: 0 }),
  );
}
