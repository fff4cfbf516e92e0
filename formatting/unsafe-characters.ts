/** The Unicode marks that change the direction of text, so that a name displays as another; inside a class of a RegExp. */
export const directionMarks = String.raw`\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069`;
