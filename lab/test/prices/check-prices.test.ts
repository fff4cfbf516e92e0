import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { dollarsOf, pricesOf } from '../../../core/pricing/region-prices.ts';
import { root } from '../../../lib/build/paths.ts';
import { checkPrices } from '../../prices/check-prices.ts';
import { offerUrl, type PublishedName, publishedNames, publishedUsage } from '../../prices/published-usage.ts';
import { findPrice, parseOffer } from '../../prices/read-offer.ts';
import { readRegionData } from '../../prices/region-data.ts';

type Product = { sku: string; usagetype: string; tiers: [from: string, usd: string][] };

/** An offer file in the shape of AWS's price list, with its tiers and the fields that are not read. */
function anOffer(products: readonly Product[]) {
  const terms = products.map(({ sku, tiers }) => {
    const priceDimensions = tiers.map(([beginRange, USD], n) => [
      `${sku}.JRTCKXETXF.${n}`,
      {
        rateCode: `${n}`,
        unit: 'Request',
        beginRange,
        endRange: 'Inf',
        pricePerUnit: { USD },
        appliesTo: [],
      },
    ]);
    const term = { offerTermCode: 'JRTCKXETXF', sku, priceDimensions: Object.fromEntries(priceDimensions) };
    return [sku, { [`${sku}.JRTCKXETXF`]: term }];
  });
  return {
    formatVersion: 'v1.0',
    offerCode: 'AWSLambda',
    publicationDate: '2026-11-20T00:00:00Z',
    products: Object.fromEntries(
      products.map(({ sku, usagetype }) => [
        sku,
        { sku, productFamily: 'Serverless', attributes: { servicecode: 'AWSLambda', usagetype } },
      ]),
    ),
    terms: { OnDemand: Object.fromEntries(terms) },
  };
}

/** The published prices of a region, equal to ours unless `changes` names others; null: not in the list. */
function published(changes: Partial<Record<PublishedName, string | null>> = {}, prefix = '') {
  return async (url: string) => {
    const dollars = dollarsOf(pricesOf(url.split('/').at(-2) ?? ''));
    const products = publishedNames.flatMap((name): Product[] => {
      const { offer, usageType } = publishedUsage[name];
      const usd = name in changes ? changes[name] : String(dollars[name]);
      if (!url.includes(`/${offer}/`) || usd === null || usd === undefined) return [];
      const usagetype = `${prefix}${usageType}`;
      return [
        {
          sku: name.toUpperCase(),
          usagetype,
          tiers: [
            ['100', '0.000000001'],
            ['0', usd],
          ],
        },
      ];
    });
    return anOffer(products);
  };
}

it('equal prices are equal, with and without the code of a region', async () => {
  for (const [region, prefix] of [
    ['us-east-1', ''],
    ['us-east-1', 'USE1-'],
    ['eu-central-1', 'EUC1-'],
    ['eu-west-1', 'EU-'],
  ] as const) {
    const checks = await checkPrices(published({}, prefix), region);
    expect(checks.map(({ name }) => name)).toEqual(publishedNames);
    expect(checks.filter(({ isEqual }) => !isEqual)).toEqual([]);
  }
});

it('a price that differs, or that the list does not have, is reported', async () => {
  const changed = published({ lambdaX86: '0.0000200000', filePut: null, transition: '0.00003' });
  const checks = await checkPrices(changed, 'eu-central-1');
  expect(checks.filter(({ isEqual }) => !isEqual)).toEqual([
    { name: 'lambdaX86', ours: 0.0000166667, isAssumed: false, published: 0.00002, isEqual: false },
    { name: 'transition', ours: 0.000025, isAssumed: true, published: 0.00003, isEqual: false },
    { name: 'filePut', ours: 0.0000054, isAssumed: false, published: undefined, isEqual: false },
  ]);
});

it('the data is written anew from the list, with the day of each file', async () => {
  const anew = await readRegionData(published({ lambdaArm: '0.00001', apiRequest: null }), {
    regions: ['us-east-1', 'eu-central-1', 'ap-south-1', 'eu-central-1'],
    today: '2026-11-24',
  });
  expect(anew.readOn).toBe('2026-11-24');
  expect(anew.sources[0]).toEqual({
    prices: ['lambdaArm', 'lambdaX86', 'lambdaRequest', 'lambdaDisk'],
    publishedOn: '2026-11-20',
    url: offerUrl('AWSLambda', '{region}'),
  });
  expect(Object.keys(anew.regions)).toEqual(['ap-south-1', 'eu-central-1']);
  const columns = anew.sources.flatMap(({ prices }) => prices);
  const row = anew.regions['eu-central-1'] ?? [];
  expect(row).toHaveLength(columns.length);
  expect(row[columns.indexOf('lambdaArm')]).toBe(0.00001);
  expect(row[columns.indexOf('tableWrite')]).toBe(0.0000007625);
  expect(row[columns.indexOf('apiRequest')]).toBeNull();
});

it('a service that a region does not have leaves its prices out', async () => {
  const withoutFargate = async (url: string) => (url.includes('AmazonECS') ? undefined : published({})(url));
  const checks = await checkPrices(withoutFargate, 'eu-central-1');
  expect(checks.filter(({ published }) => published === undefined)).toHaveLength(5);
});

it('the first tier that costs something counts, and a longer usage type is another', () => {
  const offer = parseOffer(
    anOffer([
      {
        sku: 'A',
        usagetype: 'EUC1-Request',
        tiers: [
          ['0', '0.0'],
          ['1000000', '0.0000002'],
          ['9', '0.0'],
        ],
      },
      { sku: 'B', usagetype: 'EUC1-Request-ARM', tiers: [['0', '0.0000003']] },
      { sku: 'C', usagetype: 'EUC1-Edge-Request', tiers: [['0', '0.0000006']] },
    ]),
  );
  expect(findPrice(offer, 'Request')).toBe(0.0000002);
  expect(findPrice(offer, 'Request-GPU')).toBeUndefined();
});

it('a usage type with several prices, and a file of another shape, are errors', () => {
  const offer = anOffer([
    { sku: 'A', usagetype: 'Request', tiers: [['0', '1']] },
    { sku: 'B', usagetype: 'Request', tiers: [['0', '2']] },
  ]);
  expect(() => findPrice(parseOffer(offer), 'Request')).toThrow('Request has several prices: 1, 2');
  expect(() => parseOffer({ products: {} })).toThrow();
});

it('the price list is that of the region', () => {
  expect(offerUrl('AWSLambda', 'eu-central-1')).toBe(
    'https://pricing.us-east-1.amazonaws.com/offers/v1.0/aws/AWSLambda/current/eu-central-1/index.json',
  );
});

it('the prices of a region are shown, and those that are assumed are named', async () => {
  const run = promisify(execFile);
  const { stdout } = await run(process.execPath, ['lab/prices.ts', '--region', 'sa-east-1'], { cwd: root });
  expect(stdout).toContain('tableWrite: $0.0000009375 (write unit of DynamoDB on demand)');
  expect(stdout).toContain('queueRequest: $0.0000004 (request of SQS (standard queue), assumed as in us-east-1)');
  const unknown = await run(process.execPath, ['lab/prices.ts', '--region', 'xx-north-9'], { cwd: root });
  expect(unknown.stdout).toContain('The prices of xx-north-9 are not known: its jobs are priced as in us-east-1.');
});

it('npm run prices exits with 2 and the reason if there is no network', async () => {
  const offline = [
    '--import',
    'data:text/javascript,globalThis.fetch=()=>Promise.reject(new TypeError("fetch failed"))',
  ];
  const run = promisify(execFile)(process.execPath, [...offline, 'lab/prices.ts', '--check'], { cwd: root });
  await expect(run).rejects.toMatchObject({ code: 2, stderr: 'The price list could not be read: fetch failed\n' });
});
