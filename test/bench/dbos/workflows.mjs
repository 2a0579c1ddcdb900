// Workflows of five trivial steps on DBOS, so many in flight; prints the workflows a second of each repetition, a JSON list.
import { DBOS } from '@dbos-inc/dbos-sdk';

const [url, count, concurrency, repetitions] = process.argv.slice(2);

const fiveSteps = DBOS.registerWorkflow(
  async order => {
    const results = [];
    for (let step = 0; step < 5; step += 1)
      results.push(await DBOS.runStep(async () => ({ order, step, total_cents: 199_900 }), { name: `step-${step}` }));
    return results;
  },
  { name: 'fiveSteps' },
);

async function rate() {
  let left = Number(count);
  const begin = performance.now();
  await Promise.all(
    Array.from({ length: Number(concurrency) }, async () => {
      while (left > 0) {
        left -= 1;
        await fiveSteps(`A-${left}`);
      }
    }),
  );
  return Number(count) / ((performance.now() - begin) / 1_000);
}

DBOS.setConfig({ name: 'bench', systemDatabaseUrl: url, logLevel: 'error' });
await DBOS.launch();
await rate();
const rates = [];
for (let repetition = 0; repetition < Number(repetitions); repetition += 1) rates.push(await rate());
console.log(JSON.stringify(rates));
await DBOS.shutdown();
process.exit(0);
