const tabs = ['overview', 'request', 'webhooks', 'log'] as const;

export type JobPageSearch = { tab?: (typeof tabs)[number] };

export function parseJobPageSearch(search: Record<string, unknown>): JobPageSearch {
  const tab = tabs.find((known) => known === search.tab);
  return tab === undefined || tab === 'overview' ? {} : { tab };
}
