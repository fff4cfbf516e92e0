import { judgeSpot, runSpot } from './simulation/simulate-spot.ts';
const t = Date.now();
const { figures, breaches } = judgeSpot(await runSpot({ seed: 7, jobs: Number(process.argv[2] ?? 10000) }));
console.log(JSON.stringify(figures), breaches.length, breaches.slice(0, 5), (Date.now() - t) / 1000);
