import { parseArgs } from 'node:util';
import { prices, pricesReadOn, pricesRegion } from '../core/pricing/prices.ts';
import { checkPrices, type PriceCheck } from './prices/check-prices.ts';

const usage = `Compares the prices of core/pricing/prices.ts, which are those of ${pricesRegion}, with the price list that AWS publishes. Exit
codes: 0 they are equal, 1 a price differs or is missing, 2 the price list could not be read, for example without a network.

  npm run prices -- --check [--region us-east-1]

  --region NAME  the region of the price list: shows how far its prices are from those of ${pricesRegion}
`;

async function readOffer(url: string): Promise<unknown> {
  const response = await fetch(url, { signal: AbortSignal.timeout(60_000) });
  if (!response.ok) throw new Error(`${url} answered ${response.status}`);
  return response.json();
}

function line({ name, ours, published, isEqual }: PriceCheck): string {
  const found = published === undefined ? 'not in the price list' : `published $${published}`;
  return `  ${isEqual ? 'ok     ' : 'differs'} ${name}: $${ours}, ${found} (${prices[name].per})`;
}

/** Prints the comparison. Returns false if a price differs. */
async function compare(region: string): Promise<boolean> {
  const checks = await checkPrices(readOffer, region);
  console.log(`Prices of ${pricesRegion}, read on ${pricesReadOn}, against AWS's price list of ${region}:`);
  for (const check of checks) console.log(line(check));
  const unchecked = Object.keys(prices).length - checks.length;
  console.log(`${unchecked} further prices have no known usage type: compare them by hand.`);
  return checks.every(({ isEqual }) => isEqual);
}

try {
  const { values } = parseArgs({
    options: {
      check: { type: 'boolean', default: false },
      region: { type: 'string', default: pricesRegion },
      help: { type: 'boolean', default: false },
    },
  });
  if (!/^[a-z]{2}(-[a-z]+)+-\d$/.test(values.region))
    throw new TypeError(`--region must be a region such as ${pricesRegion}, found ${values.region}`);
  if (values.help || !values.check) console.log(usage);
  else if (!(await compare(values.region))) process.exitCode = 1;
} catch (error) {
  const { message, cause } = error instanceof Error ? error : new Error(String(error));
  const reason = cause instanceof Error ? `${message}: ${cause.message}` : message;
  console.error(`The price list could not be read: ${reason}`);
  process.exitCode = 2;
}
