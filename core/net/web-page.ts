/** The beginnings of web pages: the commonest of https://mimesniff.spec.whatwg.org/#identifying-a-resource-with-an-unknown-mime-type. */
const anyPage = /^(<!doctype html|<html)[\s>]/i;
/** The other ones, for a body that is sent as a page. */
const statedPage = /^<(!--|!doctype|head|script|body|title|meta|style|iframe|h1|div|table|p|a|br?)[\s>/-]/i;

/** The bytes in which a page begins. Space and a comment may come first. */
export const pageHeadBytes = 512;

/** Whether a body is a web page: a sign-in, a preview or an error, in place of a file. */
export function isWebPage(head: Uint8Array, contentType: string | undefined): boolean {
  const text = new TextDecoder('latin1').decode(head.subarray(0, pageHeadBytes));
  const start = text.replace(/^(ï»¿)?\s+|^ï»¿/, '');
  const isStated = contentType === 'text/html' || contentType === 'application/xhtml+xml';
  return anyPage.test(start) || (isStated && (statedPage.test(start) || /<html[\s>]/i.test(start)));
}
