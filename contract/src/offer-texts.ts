/** The texts of an offer, split into the parts of a card (A3-20, A3-21). */
export interface OfferTexts {
  /** The first non-empty line of the name, without Markdown formatting. */
  title: string
  /** The picture in the name; null without one. */
  titleImage: string | null
  description: string
  /** Features of the offer, one per entry. */
  advantages: string[]
  legalCopy: string
}

const IMAGE = /!\[[^\]]*\]\(\s*([^\s)]+)[^)]*\)/
/** A line that separates the parts of a synopsis. */
const SEPARATOR = /^[ \t]*-{3,}[ \t]*\r?$/m
/** A separator in a text whose lines YAML has folded into one. */
const FOLDED_SEPARATOR = /(?:^|\s)-{3,}(?=\s|$)/
/** Begins the advantages of a folded text. Without it, dashes in a text are only dashes. */
const FOLDED_LIST = /(?:^|\s)-{3,}\s+\*\s/
/** The `*` before an item: between blanks, or at the start of a line, unless the line starts with bold or italic text. */
const BULLET = /(?:^|\s)\*(?=\s)|^[ \t]*\*(?![\s*]|[^*\n]*[^*\s]\*(?!\S))/m

/**
 * Splits the texts of an offer. `name` is Markdown, and its first line of text is the title (A3-20). `synopsis` has
 * three parts, separated by `---`: the description, the advantages as a list with a `*` before each item, and the legal
 * text (A3-21).
 */
export function offerTexts({ name, synopsis }: { name: string; synopsis: string }): OfferTexts {
  const [, titleImage = null] = IMAGE.exec(name) ?? []
  const lines = name.replace(new RegExp(IMAGE, 'g'), '').split('\n').map(withoutMarks)
  const isFolded = !SEPARATOR.test(synopsis) && FOLDED_LIST.test(synopsis)
  const [description = '', features = '', ...legal] = synopsis
    .split(isFolded ? FOLDED_SEPARATOR : SEPARATOR)
    .map((part) => part.trim())
  return {
    title: lines.find((line) => line !== '') ?? '',
    titleImage,
    description,
    advantages: features
      .split(BULLET)
      .map((item) => item.replaceAll(/\s+/g, ' ').trim())
      .filter((item) => item !== ''),
    legalCopy: legal.join('\n\n').trim(),
  }
}

/** Removes Markdown's marks for headings and emphasis from a line. */
function withoutMarks(line: string): string {
  return line
    .replace(/^\s*#{1,6}\s+/, '')
    .replaceAll(/(\*\*|__|[*_`])(\S(?:.*?\S)?)\1/g, '$2')
    .trim()
}

/** Returns the conditions of an offer, one per line (A3-21). */
export function conditionsOf(written: string): string[] {
  return written
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
}
