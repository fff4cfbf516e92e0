import { pricesRegion } from '../../core/pricing/prices.ts';
import { publishedPrices, type ReadOffer } from './published-prices.ts';
import { offerUrl, publishedNames, publishedUsage } from './published-usage.ts';

/** The content of `core/pricing/region-prices.json`. */
export type RegionData = {
  /** The UTC day on which the prices were read. */
  readOn: string;
  from: string;
  /** The columns of `regions`, by the file that has them. */
  sources: { prices: string[]; publishedOn: string; url: string }[];
  /** Dollars by region, in the order of the columns; null: not in the price list. */
  regions: Record<string, (number | null)[]>;
};

/** Reads the published prices of all regions anew. Those of us-east-1 are in `prices.ts`, with their sources. */
export async function readRegionData(
  readOffer: ReadOffer,
  { regions, today }: { regions: readonly string[]; today: string },
): Promise<RegionData> {
  const rows: RegionData['regions'] = {};
  const publishedOn = new Map<string, string>();
  for (const region of [...new Set(regions)].filter((one) => one !== pricesRegion).sort()) {
    const published = await publishedPrices(readOffer, region);
    rows[region] = publishedNames.map((name) => published.dollars[name] ?? null);
    for (const [offer, day] of published.publishedOn) {
      if (day > (publishedOn.get(offer) ?? '')) publishedOn.set(offer, day);
    }
  }
  const offers = [...new Set(publishedNames.map((name) => publishedUsage[name].offer))];
  return {
    readOn: today,
    from: "AWS's price list",
    sources: offers.map((offer) => ({
      prices: publishedNames.filter((name) => publishedUsage[name].offer === offer),
      // Of the latest file of a region.
      publishedOn: publishedOn.get(offer) ?? '',
      url: offerUrl(offer, '{region}'),
    })),
    regions: rows,
  };
}
