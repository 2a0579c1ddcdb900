import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../config/package-root.ts';
import { Metrics } from '../../src/daemon/metrics.ts';
import { gaugesOf, Parts } from '../../src/daemon/parts.ts';

interface Panel {
  readonly title: string;
  readonly fieldConfig: { readonly defaults: { readonly unit?: string } };
  readonly targets: readonly { readonly expr: string }[];
}

/** Series that are made from one metric. */
const suffixes = /_(bucket|sum|count)$/;

describe('the Grafana dashboard', () => {
  const text = readFileSync(join(packageRoot, 'config/grafana-dashboard.json'), 'utf8');
  const { panels } = JSON.parse(text) as { readonly panels: readonly Panel[] };
  const asked = new Set(
    panels.flatMap(({ targets }) => targets.flatMap(({ expr }) => expr.match(/completiond_[a-z_0-9]+/g) ?? [])),
  );

  it('asks for metrics that there are, and for each of the daemon’s own', () => {
    const { registry } = new Metrics(gaugesOf(new Parts()));
    const names = registry.getMetricsAsArray().map(({ name }) => name);
    const used = [...asked].map(name => (names.includes(name) ? name : name.replace(suffixes, '')));
    assert.deepEqual(
      used.filter(name => !names.includes(name)),
      [],
    );
    const own = names.filter(name => !/^completiond_(nodejs|process)_/.test(name));
    assert.deepEqual(
      own.filter(name => !used.includes(name)),
      [],
    );
  });

  it('has a title, a unit and a question in every panel', () => {
    for (const { title, fieldConfig, targets } of panels) {
      assert.ok(title);
      assert.ok(fieldConfig.defaults.unit, title);
      assert.ok(targets.length > 0, title);
    }
  });
});
