const tabs = ['overview', 'request', 'webhooks', 'log'] as const;

type JobTab = (typeof tabs)[number];
export type JobPageSearch = { tab?: JobTab };

export function parseJobPageSearch(search: Record<string, unknown>): JobPageSearch {
  const tab = tabs.find((known) => known === search.tab);
  return tab === undefined || tab === 'overview' ? {} : { tab };
}
