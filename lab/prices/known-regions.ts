import { type PriceName, prices, pricesRegion } from '../../core/pricing/prices.ts';
import regional from '../../core/pricing/region-prices.json' with { type: 'json' };
import { regionalNames } from '../../core/pricing/region-prices.ts';

const rows: Readonly<Record<string, readonly (number | null)[]>> = regional.regions;

/** The regions whose prices are known. */
export const pricedRegions = [pricesRegion, ...Object.keys(rows)].sort();

/** The prices that are assumed to be those of `us-east-1`, because that of the region is not known. */
export function assumedPrices(region: string): PriceName[] {
  const row = rows[region];
  if (row === undefined) return [];
  const known = new Set(regionalNames.filter((_, column) => row[column] !== null));
  return (Object.keys(prices) as PriceName[]).filter((name) => !known.has(name) && !('everywhere' in prices[name]));
}
