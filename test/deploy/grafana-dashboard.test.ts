import assert from 'node:assert/strict';
import { Metrics } from '../../src/daemon/metrics.ts';
import { gaugesOf, Parts } from '../../src/daemon/parts.ts';
import { packageFile } from './compose-file.ts';

interface Panel {
  readonly id: number;
  readonly type: string;
  readonly title: string;
  readonly gridPos: { readonly x: number; readonly y: number; readonly w: number; readonly h: number };
  readonly fieldConfig: { readonly defaults: { readonly unit: string } };
  readonly targets: readonly { readonly expr: string }[];
}

/** The units of ours, by Grafana's names for them. */
const units = ['ops', 'ms', 's', 'bytes', 'short', 'percentunit'];

describe('config/grafana-dashboard.json', () => {
  const text = packageFile('config/grafana-dashboard.json');
  const { panels } = JSON.parse(text) as { readonly panels: readonly Panel[] };
  const charts = panels.filter(({ type }) => type !== 'row');
  const known = new Metrics(gaugesOf(new Parts())).registry.getMetricsAsArray();

  it('asks only for metrics that a daemon has, and of histograms only for their series', () => {
    const series = known.flatMap(({ name, type }) =>
      String(type) === 'histogram' ? ['bucket', 'sum', 'count'].map(part => `${name}_${part}`) : [name],
    );
    const asked = text.match(/completiond_\w+/g) ?? [];
    assert.ok(asked.length > charts.length);
    assert.deepEqual(
      [...new Set(asked)].filter(name => !series.includes(name)),
      [],
    );
  });

  it('leaves out no metric of our own', () => {
    const own = known.map(({ name }) => name).filter(name => !/^completiond_(nodejs|process)_/.test(name));
    assert.deepEqual(
      own.filter(name => !text.includes(name)),
      [],
    );
  });

  it('gives every panel a title of its own, a unit and a query', () => {
    assert.equal(new Set(panels.map(({ title }) => title)).size, panels.length);
    assert.equal(new Set(panels.map(({ id }) => id)).size, panels.length);
    for (const { title, fieldConfig, targets } of charts) {
      assert.ok(title.length > 0);
      assert.ok(units.includes(fieldConfig.defaults.unit), `${title}: ${fieldConfig.defaults.unit}`);
      assert.ok(targets.length > 0, title);
    }
  });

  it('lays no panel over another', () => {
    const taken = new Set<string>();
    for (const { title, gridPos } of panels)
      for (let x = gridPos.x; x < gridPos.x + gridPos.w; x += 1)
        for (let y = gridPos.y; y < gridPos.y + gridPos.h; y += 1) {
          assert.ok(x < 24 && !taken.has(`${x},${y}`), `${title} at ${x},${y}`);
          taken.add(`${x},${y}`);
        }
  });

  it('is shipped', () => {
    const { files } = JSON.parse(packageFile('package.json')) as { readonly files: readonly string[] };
    assert.ok(files.includes('config/*.json'));
  });
});
