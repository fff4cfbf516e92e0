import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { prices } from '../../../core/pricing/prices.ts';
import { root } from '../../../lib/build/paths.ts';
import { checkPrices, offerUrl } from '../../../scripts/prices/check-prices.ts';
import { type PriceName, publishedUsage } from '../../../scripts/prices/published-usage.ts';
import { findPrice, parseOffer } from '../../../scripts/prices/read-offer.ts';

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

/** The published prices, equal to ours unless `changes` names others; null: not in the list. */
function published(changes: Partial<Record<PriceName, string | null>> = {}, prefix = '') {
  return async (url: string) => {
    const products = Object.entries(publishedUsage).flatMap(([name, { offer, usageType }]): Product[] => {
      const usd = name in changes ? changes[name as PriceName] : String(prices[name as PriceName].dollars);
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
  for (const prefix of ['', 'USE1-', 'EUC1-']) {
    const checks = await checkPrices(published({}, prefix));
    expect(checks).toHaveLength(Object.keys(publishedUsage).length);
    expect(checks.filter(({ isEqual }) => !isEqual)).toEqual([]);
  }
});

it('a price that differs, or that the list does not have, is reported', async () => {
  const checks = await checkPrices(published({ lambdaX86: '0.0000200000', filePut: null }), 'eu-central-1');
  expect(checks.filter(({ isEqual }) => !isEqual)).toEqual([
    { name: 'lambdaX86', ours: 0.0000166667, published: 0.00002, isEqual: false },
    { name: 'filePut', ours: 0.000005, published: undefined, isEqual: false },
  ]);
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

it('without a network it exits with 2 and says why', async () => {
  const offline = [
    '--import',
    'data:text/javascript,globalThis.fetch=()=>Promise.reject(new TypeError("fetch failed"))',
  ];
  const run = promisify(execFile)(process.execPath, [...offline, 'scripts/prices.ts', '--check'], {
    cwd: root,
  });
  await expect(run).rejects.toMatchObject({
    code: 2,
    stderr: 'The price list could not be read: fetch failed\n',
  });
});
