import { prices, pricesRegion } from '../../core/pricing/prices.ts';
import { type PriceName, type PublishedUsage, publishedUsage } from './published-usage.ts';
import { findPrice, parseOffer } from './read-offer.ts';

/** Reads the offer file at a URL. Throws if the network or AWS does not answer. */
export type ReadOffer = (url: string) => Promise<unknown>;

export type PriceCheck = {
  name: PriceName;
  ours: number;
  /** Undefined: the price list has no such usage type. */
  published: number | undefined;
  isEqual: boolean;
};

/** The address of AWS's price list of a service in a region. It needs no credentials. */
export function offerUrl(offer: string, region: string): string {
  return `https://pricing.us-east-1.amazonaws.com/offers/v1.0/aws/${offer}/current/${region}/index.json`;
}

/** Compares the prices of this repository, which are those of us-east-1, with the published ones of a region. */
export async function checkPrices(
  readOffer: ReadOffer,
  region: string = pricesRegion,
): Promise<PriceCheck[]> {
  const usages = Object.entries(publishedUsage) as [PriceName, PublishedUsage][];
  const names = [...new Set(usages.map(([, { offer }]) => offer))];
  const offers = new Map(
    await Promise.all(
      names.map(async (name) => [name, parseOffer(await readOffer(offerUrl(name, region)))] as const),
    ),
  );
  return usages.map(([name, { offer, usageType }]) => {
    const list = offers.get(offer);
    const published = list && findPrice(list, usageType);
    const { dollars } = prices[name];
    // The price list has ten digits.
    const isEqual = published !== undefined && Math.abs(published - dollars) < 5e-11;
    return { name, ours: dollars, published, isEqual };
  });
}
