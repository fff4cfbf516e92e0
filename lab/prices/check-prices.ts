import { dollarsOf, pricesOf } from '../../core/pricing/region-prices.ts';
import { assumedPrices } from './known-regions.ts';
import { publishedPrices, type ReadOffer } from './published-prices.ts';
import { type PublishedName, publishedNames } from './published-usage.ts';

export type PriceCheck = {
  name: PublishedName;
  /** Dollars, for an assumed price those of us-east-1. */
  ours: number;
  isAssumed: boolean;
  /** Undefined: the price list has no such usage type. */
  published: number | undefined;
  isEqual: boolean;
};

/** Compares the prices of this repository for a region with the published ones. */
export async function checkPrices(readOffer: ReadOffer, region: string): Promise<PriceCheck[]> {
  const published = await publishedPrices(readOffer, region);
  const dollars = dollarsOf(pricesOf(region));
  const assumed = assumedPrices(region);
  return publishedNames.map((name) => {
    const [ours, found] = [dollars[name], published.dollars[name]];
    // The price list has ten digits.
    const isEqual = found !== undefined && Math.abs(found - ours) < 5e-11;
    return { name, ours, isAssumed: assumed.includes(name), published: found, isEqual };
  });
}
