/** The id of the element that holds the current page. */
export const pageId = 'page';

/** The id of the page's main heading, which names it. */
export const pageTitleId = 'page-title';

/** Moves the focus to the page, so that screen readers and the Tab key continue there when the focused element is gone. */
export function focusPage(): void {
  document.getElementById(pageId)?.focus({ preventScroll: true });
}
