import { Anchor } from '@mantine/core';
import { type DocumentedTerm, documentedTerms } from './documented-terms.ts';

/** A link to the page that explains a term, in a tab of its own: a draft stays open. */
export function DocsLink({ term }: { term: DocumentedTerm | undefined }) {
  return term === undefined ? null : (
    <Anchor href={`/app/docs/${documentedTerms[term]}`} target="_blank" size="xs" underline="always">
      About {term}
    </Anchor>
  );
}
