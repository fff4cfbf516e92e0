import * as z from 'zod';

/** What is read of an offer file of AWS's price list, one service in one region. */
const offerSchema = z.object({
  publicationDate: z.string(),
  products: z.record(z.string(), z.object({ attributes: z.object({ usagetype: z.string().optional() }) })),
  terms: z.object({
    OnDemand: z.record(
      z.string(),
      z.record(
        z.string(),
        z.object({
          priceDimensions: z.record(
            z.string(),
            z.object({
              beginRange: z.string().optional(),
              pricePerUnit: z.object({ USD: z.string() }).partial(),
            }),
          ),
        }),
      ),
    ),
  }),
});

export type Offer = z.output<typeof offerSchema>;

/** @throws Error if the file has another shape */
export function parseOffer(content: unknown): Offer {
  const parsed = offerSchema.safeParse(content);
  if (parsed.success) return parsed.data;
  throw new Error(`The price list has another shape than expected:\n${z.prettifyError(parsed.error)}`);
}

/**
 * The dollars per unit of a usage type in the first tier that costs something: a free tier is a price of 0. Undefined if
 * the offer has no such usage type; an error if it has several prices, since the usage type then selects none.
 */
export function findPrice(offer: Offer, usageType: string): number | undefined {
  const found = Object.entries(offer.products)
    .filter(([, { attributes }]) => withoutRegion(attributes.usagetype ?? '') === usageType)
    .flatMap(([sku]) => firstTier(offer, sku));
  const different = [...new Set(found)];
  if (different.length > 1) throw new Error(`${usageType} has several prices: ${different.join(', ')}`);
  return different[0];
}

/** The price of the lowest tier above 0 of a product. */
function firstTier({ terms }: Offer, sku: string): number[] {
  const tiers = Object.values(terms.OnDemand[sku] ?? {})
    .flatMap(({ priceDimensions }) => Object.values(priceDimensions))
    .map(({ beginRange = '0', pricePerUnit }) => ({
      from: Number(beginRange),
      usd: Number(pricePerUnit.USD),
    }))
    .filter(({ usd }) => usd > 0)
    .sort((a, b) => a.from - b.from);
  return tiers.slice(0, 1).map(({ usd }) => usd);
}

/** Usage types begin with a code of the region, such as `EUC1-`, or `EU-` for eu-west-1, except some of us-east-1. */
function withoutRegion(usageType: string): string {
  return usageType.replace(/^(EU|[A-Z]{2,4}\d)-/, '');
}
