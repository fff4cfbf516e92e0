import { describe, expect, it } from 'vitest';
import { box, fullBox, integer, integers } from '../../../../src/media/boxes.ts';
import { heifProbe } from '../../../../src/media/probe/heif/heif-probe.ts';
import { readHeif } from '../../../../src/media/probe/heif/read-heif.ts';

const [primaryId, otherId] = [1, 2];

const repeat = (count: number, bytes: Uint8Array) => Buffer.concat(Array.from({ length: count }, () => bytes));

/** An item of this type. */
const anItem = (id: number, type: string) =>
  box('infe', integers(0x02000000), integer(id, 2), integer(0, 2), Buffer.from(type));

/** The primary item has a size of 64x48, the other one the auxiliary type. */
function aHeif({
  type = 'hvc1',
  auxiliaryType = '',
  references = Buffer.alloc(0) as Uint8Array,
  locations = fullBox('iloc') as Uint8Array,
  colors = undefined as Uint8Array | undefined,
}): Uint8Array {
  const auxiliary = fullBox('auxC', Buffer.from(`${auxiliaryType}\0`));
  const properties = box('ipco', auxiliary, fullBox('ispe', integers(64, 48)), ...(colors ? [colors] : []));
  const indexes = [...(colors ? [[primaryId, 2, 3]] : [[primaryId, 2]]), [otherId, 1]].map(([id = 0, ...list]) =>
    Buffer.concat([integer(id, 2), integer(list.length, 1), ...list.map((index) => integer(index, 1))]),
  );
  const associations = fullBox('ipma', integers(indexes.length), ...indexes);
  const meta = fullBox(
    'meta',
    fullBox('pitm', integer(primaryId, 2)),
    fullBox('iinf', integer(2, 2), anItem(primaryId, type), anItem(otherId, 'hvc1')),
    box('iprp', properties, associations),
    fullBox('iref', references),
    locations,
  );
  return Buffer.concat([box('ftyp', Buffer.from('heic'), integers(0)), meta]);
}

const anAuxiliary = box('auxl', integer(otherId, 2), integer(1, 2), integer(primaryId, 2));

describe('the colors of a HEIF file', () => {
  const nclx = (...numbers: [number, number, number]) =>
    box('colr', Buffer.from('nclx'), ...numbers.map((number) => integer(number, 2)), Uint8Array.of(0x80));
  const probed = (colors?: Uint8Array) => {
    const image = readHeif(aHeif({ ...(colors && { colors }) }));
    return image && heifProbe(image, { sizeBytes: 1 }).streams[0];
  };

  it('are read from its numbers', () => {
    const hdr = { hdrTransfer: 'pq', colorPrimaries: 'bt2020', colorMatrix: 'bt2020nc', isFullRange: true };
    expect(probed(nclx(9, 16, 9))).toMatchObject(hdr);
    expect(probed(nclx(9, 18, 9))).toMatchObject({ hdrTransfer: 'hlg' });
    const p3 = { colorPrimaries: 'smpte432', colorTransfer: 'iec61966-2-1', hdrTransfer: undefined };
    expect(probed(nclx(12, 13, 6))).toMatchObject(p3);
  });

  it('are those of its profile, if it has one', () => {
    const profile = new Uint8Array(0);
    const image = readHeif(aHeif({ colors: nclx(12, 16, 6) }));
    const probe = image && heifProbe({ ...image, profile }, { sizeBytes: 1 });
    expect(probe?.streams[0]).not.toHaveProperty('colorPrimaries');
    expect(probe?.streams[0]).not.toHaveProperty('hdrTransfer');
  });
});

describe('the crop of a HEIF file', () => {
  const cropOf = (...numbers: number[]) => readHeif(aHeif({ colors: box('clap', integers(...numbers)) }))?.crop;

  it('is its clean aperture, around the middle', () => {
    expect(cropOf(64, 2, 20, 1, 0, 1, 8, 2)).toEqual({ width: 32, height: 20, x: 16, y: 18 });
    expect(cropOf(63, 1, 47, 1, 0xffffffff, 2, 0xffffffff, 2)).toEqual({ width: 63, height: 47, x: 0, y: 0 });
  });

  it.each([
    ['is larger than the image', [66, 1, 20, 1, 0, 1, 0, 1]],
    ['is beside the image', [32, 1, 20, 1, 20, 1, 0, 1]],
    ['is no number', [32, 0, 20, 0, 0, 0, 0, 0]],
  ])('is ignored if it %s', (_, numbers) => expect(cropOf(...numbers)).toBeUndefined());
});

describe('the first bytes of a HEIF file', () => {
  it('tell the size of the image and its transparency', () => {
    const alpha = { auxiliaryType: 'urn:mpeg:hevc:2015:auxid:1', references: anAuxiliary };
    const image = { codec: 'hevc', size: { width: 64, height: 48 }, tileIds: [primaryId] };
    expect(readHeif(aHeif({}))).toMatchObject(image);
    expect(readHeif(aHeif({}))).not.toHaveProperty('alphaId');
    expect(readHeif(aHeif(alpha))).toMatchObject({ ...image, alphaId: otherId });
  });

  it('are read once where thousands of items have millions of empty extents', () => {
    const items = 60_000;
    // No field of an extent has a byte.
    const item = Buffer.concat([integer(otherId, 2), integer(0, 2), integer(65_535, 2)]);
    const locations = fullBox('iloc', Uint8Array.of(0, 0), integer(items, 2), repeat(items, item));
    expect(readHeif(aHeif({ type: 'grid', locations }))).toBeUndefined();
  });

  it('are read once where thousands of references lead to a long name', () => {
    const file = aHeif({ auxiliaryType: 'x'.repeat(1_000_000), references: repeat(20_000, anAuxiliary) });
    expect(readHeif(file)).toMatchObject({ tileIds: [primaryId] });
  });
});
