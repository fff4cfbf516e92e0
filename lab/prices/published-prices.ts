import { offerUrl, type PublishedName, publishedNames, publishedUsage } from './published-usage.ts';
import { findPrice, type Offer, parseOffer } from './read-offer.ts';

/** Reads the offer file at a URL; undefined if there is none. Throws if the network or AWS does not answer. */
export type ReadOffer = (url: string) => Promise<unknown>;

/** Dollars of each published price of a region. Undefined: the price list does not have it. */
export type PublishedPrices = {
  dollars: Readonly<Record<PublishedName, number | undefined>>;
  /** The UTC day on which each offer was published. */
  publishedOn: ReadonlyMap<string, string>;
};

/** Reads the published prices of a region. */
export async function publishedPrices(readOffer: ReadOffer, region: string): Promise<PublishedPrices> {
  const names = [...new Set(publishedNames.map((name) => publishedUsage[name].offer))];
  const read = await Promise.all(
    names.map(async (name): Promise<[string, Offer][]> => {
      const content = await readOffer(offerUrl(name, region));
      return content === undefined ? [] : [[name, parseOffer(content)]];
    }),
  );
  const offers = new Map(read.flat());
  const dollars = publishedNames.map((name) => {
    const { offer, usageType } = publishedUsage[name];
    const list = offers.get(offer);
    return [name, list && findPrice(list, usageType)];
  });
  return {
    dollars: Object.fromEntries(dollars),
    publishedOn: new Map([...offers].map(([name, { publicationDate }]) => [name, publicationDate.slice(0, 10)])),
  };
}
