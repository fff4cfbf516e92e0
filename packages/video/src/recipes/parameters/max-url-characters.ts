/** Maximum length of a URL in a request. */
export const maxUrlCharacters = 2_048;
