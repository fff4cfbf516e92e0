/** The types of fonts that Matroska attaches for styled subtitles: those of RFC 8081, and older ones. */
const fontTypes = {
  'font/ttf': 'ttf',
  'font/otf': 'otf',
  'font/sfnt': 'ttf',
  'font/collection': 'ttc',
  'application/font-sfnt': 'ttf',
  'application/x-font': 'ttf',
  'application/x-font-ttf': 'ttf',
  'application/x-font-otf': 'otf',
  'application/x-font-opentype': 'otf',
  'application/x-truetype-font': 'ttf',
  'application/vnd.ms-opentype': 'otf',
} as const;

export type FontType = keyof typeof fontTypes;

export function readFontType(mimeType: string | undefined): FontType | undefined {
  return mimeType !== undefined && Object.hasOwn(fontTypes, mimeType) ? (mimeType as FontType) : undefined;
}

export function fontExtension(type: FontType): string {
  return fontTypes[type];
}
