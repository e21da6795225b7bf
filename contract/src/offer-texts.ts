/** How the texts of an offer are written, and what a card makes of them (A3-20, A3-21). */
export interface OfferTexts {
  /** The first text of the name. */
  title: string
  /** The picture in the name, if there is one. */
  titleImage: string | null
  description: string
  /** The features of the offer, one in each entry. */
  advantages: string[]
  legalCopy: string
}

const IMAGE = /!\[[^\]]*\]\(\s*([^\s)]+)[^)]*\)/
/** A line that separates the parts of a synopsis. */
const SEPARATOR = /^-{3,}$/m

/**
 * Takes the written texts of an offer apart: its name is Markdown, whose first text is the title (A3-20); its synopsis has
 * three parts with `---` between them, and the second is a list with a `*` before each item (A3-21).
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

/** A line of Markdown without the marks of headings and of emphasis. */
function withoutMarks(line: string): string {
  return line
    .replace(/^\s*#{1,6}\s+/, '')
    .replaceAll(/(\*\*|__|[*_`])(\S(?:.*?\S)?)\1/g, '$2')
    .trim()
}

/** The conditions of an offer, one each line (A3-21). */
export function conditionsOf(written: string): string[] {
  return written
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
}
