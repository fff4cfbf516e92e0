import * as z from 'zod';
import { type PriceName, prices, pricesReadOn, pricesRegion } from './prices.ts';

/** Dollars by name of the price; `prices` has the unit of each. */
export type Prices = Readonly<Record<PriceName, number>>;

/** The prices of a region, as known to a deployment. */
export const regionPricesSchema = z.object({
  region: z.string(),
  /** The UTC day on which they were read. */
  readOn: z.iso.date(),
  /** Dollars of the prices that differ from those of `us-east-1`. */
  differing: z.partialRecord(z.enum(Object.keys(prices) as [PriceName]), z.number().min(0)),
});

export type RegionPrices = z.output<typeof regionPricesSchema>;

/** The prices of `us-east-1`. */
export const defaultPrices: RegionPrices = { region: pricesRegion, readOn: pricesReadOn, differing: {} };

const defaultDollars = Object.fromEntries(
  Object.entries(prices).map(([name, { dollars }]) => [name, dollars]),
) as Prices;

/** All prices of a region in dollars. */
export function dollarsOf({ differing }: RegionPrices): Prices {
  return { ...defaultDollars, ...differing };
}
