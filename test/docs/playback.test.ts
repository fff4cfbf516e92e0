import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { prices } from '../../core/pricing/prices.ts';

const read = (name: string) => readFileSync(`${import.meta.dirname}/../../docs/${name}.md`, 'utf8');
const numbersIn = (text: string) =>
  [...text.matchAll(/(?<!\w)\d[\d,]*(?:\.\d+)?/g)].map(([found]) => Number(found.replaceAll(',', '')));

it('the prices of a thousand minutes follow from those that an estimate uses', () => {
  const page = read('playback');
  const [mbit = 0, gigabytes = 0, requests = 0] = numbersIn(/^At .*$/m.exec(page)?.[0] ?? '');
  expect((mbit / 8) * 60).toBe(gigabytes);
  const [, edgePerTerabyte = 0] = numbersIn(/^\| CloudFront \(.*$/m.exec(read('cost'))?.[0] ?? '');
  const row = (name: string) => numbersIn(page.split('## What')[1]?.split(`| ${name}`)[1]?.split('\n')[0] ?? '');
  const ofApi = prices.apiRequest.dollars + prices.lambdaRequest.dollars + prices.fileGet.dollars;
  // CloudFront bills a request of Europe, the function and the read of a key: 1.2, 0.1 and 0.03 dollars for a million.
  const expected = {
    CloudFront: [(edgePerTerabyte / 1_000) * gigabytes, (requests * 1.33) / 1e6],
    '`api` ': [prices.transferOut.dollars * gigabytes, requests * ofApi],
  };
  for (const [name, [transfer = 0, calls = 0]] of Object.entries(expected)) {
    const [sum = 0, statedTransfer = 0, statedCalls = 0] = row(name);
    // Half a cent is rounded up.
    const cents = (dollars: number) => Math.round(dollars * 100 + 1e-9) / 100;
    expect([statedTransfer, statedCalls]).toEqual([cents(transfer), cents(calls)]);
    expect(sum).toBeCloseTo(statedTransfer + statedCalls, 5);
  }
});
