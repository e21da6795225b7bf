import { firmSpaces } from '@ondine/contract/firm-spaces'
import { bundledLanguage, type Language, languageTag } from '@ondine/contract/languages'
import { FRAME, LETTERS, type LetterName } from './letters.ts'

/** What a letter is filled in with. */
export interface LetterFacts {
  /** The service as its operator calls it. */
  name: string
  /** First name of the reader; empty where it is not known. */
  first: string
  language: Language
  /** Where the button leads. */
  link?: string
  colors: { background: string; panel: string; text: string; quiet: string; accent: string; onAccent: string }
}

/** A file that comes with a letter. */
export interface Attachment {
  filename: string
  content: Buffer
}

/** A letter as it is sent. */
export interface Letter {
  subject: string
  text: string
  html: string
}

/** Writes a letter in its reader's language, as text and as HTML. Whatever is filled in is text, never markup. */
export function writeLetter(letter: LetterName, facts: LetterFacts): Letter {
  const code = bundledLanguage(facts.language)
  const words = LETTERS[code][letter]
  const frame = FRAME[code]
  const firm = code === 'fra' ? firmSpaces : (text: string) => text
  const fill = (text: string) =>
    firm(text)
      .replaceAll('{name}', () => oneLine(facts.name))
      .replaceAll('{first}', () => oneLine(facts.first))
  const hello = fill(facts.first.trim() === '' ? frame.helloNobody : frame.hello)
  const paragraphs = words.text.map(fill)
  const sent = fill(frame.sent)
  const text = [
    hello,
    ...paragraphs,
    ...(facts.link === undefined ? [] : [facts.link]),
    fill(words.note),
    `-- \n${sent}`,
  ].join('\n\n')
  const link = facts.link === undefined ? undefined : escaped(facts.link)
  const { colors } = facts
  // Tables and styles on each part: programs that read e-mail know little else.
  const html = `<!doctype html>
<html lang="${languageTag(code)}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="dark light"><title>${escaped(fill(words.subject))}</title></head>
<body style="margin:0;background:${colors.background}">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="background:${colors.background}"><tr><td align="center" style="padding:40px 16px">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="max-width:520px;font-family:Figtree,-apple-system,'Segoe UI',Roboto,Arial,sans-serif;color:${colors.text};font-size:16px;line-height:1.55">
<tr><td style="padding:0 8px 20px;font-size:24px;font-weight:700;letter-spacing:-.01em">${escaped(oneLine(facts.name))}</td></tr>
<tr><td style="padding:36px 26px;background:${colors.panel};border-radius:18px">
<h1 style="margin:0 0 18px;font-size:28px;line-height:1.15;letter-spacing:-.01em;color:${colors.text}">${escaped(fill(words.title))}</h1>
<p style="margin:0 0 14px">${escaped(hello)}</p>
${paragraphs.map((each) => `<p style="margin:0 0 14px">${escaped(each)}</p>`).join('\n')}
${
  link === undefined
    ? ''
    : `<p style="margin:26px 0"><a href="${link}" style="display:inline-block;padding:14px 22px;border-radius:26px;text-align:center;background:${colors.accent};color:${colors.onAccent};font-weight:650;text-decoration:none">${escaped(fill(words.button ?? ''))}</a></p>
<p style="margin:0 0 6px;font-size:14px;color:${colors.quiet}">${escaped(fill(frame.address))}</p>
<p style="margin:0 0 18px;font-size:14px;word-break:break-all"><a href="${link}" style="color:${colors.accent}">${link}</a></p>`
}
<p style="margin:18px 0 0;font-size:14px;color:${colors.quiet}">${escaped(fill(words.note))}</p>
</td></tr>
<tr><td style="padding:20px 8px;font-size:13px;color:${colors.quiet}">${escaped(sent)}</td></tr>
</table></td></tr></table></body></html>
`
  return { subject: fill(words.subject), text, html }
}

/** Line breaks in a name would begin another header or another line. */
function oneLine(value: string): string {
  return value.replaceAll(/\s+/g, ' ').trim()
}

function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
}
