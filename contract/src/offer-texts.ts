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
const SEPARATOR = /^-{3,}$/m

/**
 * Splits the texts of an offer. `name` is Markdown, and its first line of text is the title (A3-20). `synopsis` has
 * three parts, separated by `---`: the description, the advantages as a list with a `*` before each item, and the legal
 * text (A3-21).
 */
export function offerTexts({ name, synopsis }: { name: string; synopsis: string }): OfferTexts {
  const [, titleImage = null] = IMAGE.exec(name) ?? []
  const lines = name.replace(new RegExp(IMAGE, 'g'), '').split('\n').map(withoutMarks)
  const [description = '', features = '', ...legal] = synopsis.split(SEPARATOR).map((part) => part.trim())
  return {
    title: lines.find((line) => line !== '') ?? '',
    titleImage,
    description,
    advantages: features
      .split(/(?:^|\s)\*(?=\s)/)
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
