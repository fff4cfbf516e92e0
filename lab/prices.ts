import { writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { type PriceName, prices, pricesRegion } from '../core/pricing/prices.ts';
import { dollarsOf, pricesOf } from '../core/pricing/region-prices.ts';
import { runMain } from '../lib/build/run-main.ts';
import { checkPrices, type PriceCheck } from './prices/check-prices.ts';
import { exactPrice } from './prices/exact-price.ts';
import { assumedPrices, pricedRegions } from './prices/known-regions.ts';
import { readRegionData } from './prices/region-data.ts';

const usage = `Shows the prices that the costs of jobs are computed with, compares them with the price list that AWS publishes, and reads
them anew. Exit codes: 0 done, or they are equal; 1 a price differs or is missing; 2 any failure, such as a price list that
could not be read without a network.

  npm run prices -- [--region us-east-1]       the prices of a region, and which of them are assumed
  npm run prices -- --check [--region NAME]    compares them, by default of every region
  npm run prices -- --write [--region NAME]    writes core/pricing/region-prices.json, with a further region if it is new
`;

const dataFile = new URL('../core/pricing/region-prices.json', import.meta.url);

/** The content of an offer file; undefined if the region does not have the service. */
async function readOffer(url: string): Promise<unknown> {
  try {
    return await fetchOffer(url);
  } catch (error) {
    const { message, cause } = error instanceof Error ? error : new Error(String(error));
    const reason = cause instanceof Error ? `${message}: ${cause.message}` : message;
    throw new Error(`The price list could not be read: ${reason}`, { cause: error });
  }
}

async function fetchOffer(url: string): Promise<unknown> {
  const response = await fetch(url, { signal: AbortSignal.timeout(60_000) });
  // What S3 answers for a service that the region does not have.
  if (response.status === 403 || response.status === 404) return undefined;
  if (!response.ok) throw new Error(`${url} answered ${response.status}`);
  return response.json();
}

function show(region: string): void {
  const known = pricesOf(region);
  const dollars = dollarsOf(known);
  const assumed = assumedPrices(region);
  if (known.region !== region)
    console.log(`The prices of ${region} are not known: its jobs are priced as in ${known.region}.`);
  console.log(`Prices of ${known.region}, read on ${known.readOn}:`);
  for (const [name, { per }] of Object.entries(prices)) {
    const note = assumed.includes(name as PriceName) ? `, assumed as in ${pricesRegion}` : '';
    console.log(`  ${name}: $${exactPrice(dollars[name as PriceName])} (${per}${note})`);
  }
}

function line({ name, ours, isAssumed, published, isEqual }: PriceCheck): string {
  const found = published === undefined ? 'not in the price list' : `published $${published}`;
  const own = isAssumed ? `$${ours} assumed` : `$${ours}`;
  return `  ${isEqual ? 'ok     ' : 'differs'} ${name}: ${own}, ${found} (${prices[name].per})`;
}

/** Prints the comparison. Returns false if a price differs. */
async function compare(region: string): Promise<boolean> {
  const checks = await checkPrices(readOffer, region);
  console.log(`Prices of ${region} against AWS's price list:`);
  for (const check of checks) console.log(line(check));
  const unchecked = Object.keys(prices).length - checks.length;
  console.log(`${unchecked} further prices have no known usage type: compare them by hand.`);
  return checks.every(({ isEqual }) => isEqual);
}

async function compareAll(regions: readonly string[]): Promise<void> {
  for (const region of regions) if (!(await compare(region))) process.exitCode = 1;
}

async function write(added: readonly string[]): Promise<void> {
  const today = new Date().toISOString().slice(0, 10);
  const data = await readRegionData(readOffer, { regions: [...pricedRegions, ...added], today });
  await writeFile(dataFile, `${JSON.stringify(data, null, 2)}\n`);
  console.log(
    `Wrote the prices of ${Object.keys(data.regions).length} regions. Then run: npx biome format --write core`,
  );
}

await runMain(
  async () => {
    const { values } = parseArgs({
      options: {
        check: { type: 'boolean', default: false },
        write: { type: 'boolean', default: false },
        region: { type: 'string' },
        help: { type: 'boolean', default: false },
      },
    });
    const { region } = values;
    if (region !== undefined && !/^[a-z]{2}(-[a-z]+)+-\d$/.test(region))
      throw new TypeError(`--region must be a region such as ${pricesRegion}, found ${region}`);
    if (values.help) console.log(usage);
    else if (values.check) await compareAll(region === undefined ? pricedRegions : [region]);
    else if (values.write) await write(region === undefined ? [] : [region]);
    else show(region ?? pricesRegion);
  },
  { failureCode: 2 },
);
