import { firmSpaces } from '@ondine/contract/firm-spaces'
import { type BundledLanguage, bundledLanguage, type Language, languageTag } from '@ondine/contract/languages'
import { amountText } from '@ondine/contract/money'
import { offerTexts } from '@ondine/contract/offer-texts'
import { escapeAttribute } from 'entities/escape'
import type { LocalisedText } from '../../../database/columns.ts'
import { textIn } from '../../../metadata/texts.ts'
import { dateWriter } from '../../../time/written-dates.ts'
import { DROPPED_PROGRAMME, EMAILS, type EmailName, FRAME } from './emails.ts'

/** Values for an e-mail about a subscription. */
export interface SubscriptionFacts {
  /** Name of the subscription's offer, by language. */
  plan: LocalisedText
  /** The day that the e-mail announces, in milliseconds since the Unix epoch. */
  date: number
  /** The amount that the e-mail announces, VAT included. */
  cents: number
  /** The previous price, in an e-mail about a new price. */
  beforeCents?: number
  /** Name of the offer of the next period, by language. */
  nextPlan?: LocalisedText
}

/** Values for an e-mail about programmes that the guide has dropped. */
export interface DroppedFacts {
  programmes: readonly DroppedProgramme[]
  /** Number of further programmes that the e-mail does not list. */
  more: number
}

/** A programme that the guide has dropped. Times are milliseconds since the Unix epoch. */
interface DroppedProgramme {
  titles: LocalisedText
  channel: LocalisedText
  startsAt: number
  /** The programme's next showing that the account may record; null if the guide has none. */
  next: { channel: LocalisedText; startsAt: number } | null
}

/** Time zone of dates in e-mails. */
const TIME_ZONE = 'Europe/Paris'

/** Values for an e-mail. */
export interface EmailFacts {
  /** Name of the service, as configured by its operator. */
  name: string
  /** First name of the reader; empty if unknown. */
  first: string
  language: Language
  /** Name of the identity provider, as configured; empty if unknown. */
  provider: string
  /** Address that the button links to. */
  link?: string
  subscription?: SubscriptionFacts
  dropped?: DroppedFacts
  colors: { background: string; panel: string; text: string; quiet: string; accent: string; onAccent: string }
}

/** File attached to an e-mail. */
export interface Attachment {
  filename: string
  content: Buffer
}

/** An e-mail to send. */
export interface Email {
  subject: string
  text: string
  html: string
}

/** Writes an e-mail in its reader's language, as text and as HTML. In the HTML, inserted values are escaped. */
export function writeEmail(letter: EmailName, facts: EmailFacts): Email {
  const code = bundledLanguage(facts.language)
  const words = EMAILS[code][letter]
  const frame = FRAME[code]
  const firm = code === 'fra' ? firmSpaces : (text: string) => text
  const { plan, nextPlan, date, time, month, amount, before } = subscriptionWords(facts, code)
  const fill = (text: string) =>
    firm(text)
      .replaceAll('{name}', () => oneLine(facts.name))
      .replaceAll('{first}', () => oneLine(facts.first))
      .replaceAll('{provider}', () => oneLine(facts.provider) || frame.provider)
      .replaceAll('{plan}', () => plan)
      .replaceAll('{nextPlan}', () => nextPlan)
      .replaceAll('{date}', () => date)
      .replaceAll('{time}', () => time)
      .replaceAll('{month}', () => month)
      .replaceAll('{amount}', () => amount)
      .replaceAll('{before}', () => before)
  const hello = fill(facts.first.trim() === '' ? frame.helloNobody : frame.hello)
  const paragraphs = words.text.flatMap((paragraph) =>
    paragraph === '{programmes}' ? droppedParagraphs(facts, code, firm) : [fill(paragraph)],
  )
  const sent = fill(frame.sent)
  const text = [
    hello,
    ...paragraphs,
    ...(facts.link === undefined ? [] : [facts.link]),
    fill(words.note),
    `-- \n${sent}`,
  ].join('\n\n')
  const link = facts.link === undefined ? undefined : escapeAttribute(facts.link)
  const { colors } = facts
  // Use tables and inline styles: mail programs support little else.
  const html = `<!doctype html>
<html lang="${languageTag(code)}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="dark light"><title>${escapeAttribute(fill(words.subject))}</title></head>
<body style="margin:0;background:${colors.background}">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="background:${colors.background}"><tr><td align="center" style="padding:40px 16px">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="max-width:520px;font-family:Figtree,-apple-system,'Segoe UI',Roboto,Arial,sans-serif;color:${colors.text};font-size:16px;line-height:1.55">
<tr><td style="padding:0 8px 20px;font-size:24px;font-weight:700;letter-spacing:-.01em">${escapeAttribute(oneLine(facts.name))}</td></tr>
<tr><td style="padding:36px 26px;background:${colors.panel};border-radius:18px">
<h1 style="margin:0 0 18px;font-size:28px;line-height:1.15;letter-spacing:-.01em;color:${colors.text}">${escapeAttribute(fill(words.title))}</h1>
<p style="margin:0 0 14px">${escapeAttribute(hello)}</p>
${paragraphs.map((each) => `<p style="margin:0 0 14px">${escapeAttribute(each)}</p>`).join('\n')}
${
  link === undefined
    ? ''
    : `<p style="margin:26px 0"><a href="${link}" style="display:inline-block;padding:14px 22px;border-radius:26px;text-align:center;background:${colors.accent};color:${colors.onAccent};font-weight:650;text-decoration:none">${escapeAttribute(fill(words.button ?? ''))}</a></p>
<p style="margin:0 0 6px;font-size:14px;color:${colors.quiet}">${escapeAttribute(fill(frame.address))}</p>
<p style="margin:0 0 18px;font-size:14px;word-break:break-all"><a href="${link}" style="color:${colors.accent}">${link}</a></p>`
}
<p style="margin:18px 0 0;font-size:14px;color:${colors.quiet}">${escapeAttribute(fill(words.note))}</p>
</td></tr>
<tr><td style="padding:20px 8px;font-size:13px;color:${colors.quiet}">${escapeAttribute(sent)}</td></tr>
</table></td></tr></table></body></html>
`
  return { subject: fill(words.subject), text, html }
}

/** Returns the values of the placeholders of an e-mail about a subscription; empty strings for other e-mails. */
function subscriptionWords(
  { subscription, language }: EmailFacts,
  code: BundledLanguage,
): {
  plan: string
  nextPlan: string
  date: string
  time: string
  month: string
  amount: string
  before: string
} {
  if (!subscription) return { plan: '', nextPlan: '', date: '', time: '', month: '', amount: '', before: '' }
  const { plan, nextPlan = plan, date, cents, beforeCents = cents } = subscription
  const titleIn = (names: LocalisedText) =>
    oneLine(offerTexts({ name: textIn(names, language), synopsis: '' }).title)
  const day = dateWriter(code, { dateStyle: 'long', timeZone: TIME_ZONE })
  const time = dateWriter(code, {
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
    timeZone: TIME_ZONE,
  })
  // A card is valid until a month ends in UTC. That moment itself is in the next month.
  const month = dateWriter(code, { year: 'numeric', month: 'long', timeZone: 'UTC' })
  const money = new Intl.NumberFormat(languageTag(code), { style: 'currency', currency: 'EUR' })
  // `amountText` returns an exact decimal, which `format` accepts without rounding.
  const price = (amount: number) => money.format(amountText(amount) as `${number}`)
  return {
    plan: titleIn(plan),
    nextPlan: titleIn(nextPlan),
    date: day(date),
    time: time(date),
    month: month(date - 1),
    amount: price(cents),
    before: price(beforeCents),
  }
}

/** Returns a paragraph for each dropped programme; none for other e-mails. */
function droppedParagraphs(
  { dropped, language }: EmailFacts,
  code: BundledLanguage,
  firm: (text: string) => string,
): string[] {
  if (!dropped) return []
  const words = DROPPED_PROGRAMME[code]
  const moment = dateWriter(code, {
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
    timeZone: TIME_ZONE,
  })
  const showing = (text: string, { channel, startsAt }: Pick<DroppedProgramme, 'channel' | 'startsAt'>) =>
    firm(text)
      .replaceAll('{when}', () => moment(startsAt))
      .replaceAll('{channel}', () => oneLine(textIn(channel, language)))
  const paragraphs = dropped.programmes.map((programme) => {
    const title = oneLine(textIn(programme.titles, language))
    const said = showing(words.programme, programme).replaceAll('{title}', () => title)
    return `${said} ${programme.next ? showing(words.next, programme.next) : firm(words.noNext)}`
  })
  const more = dropped.more > 0 ? [firm(words.more).replaceAll('{count}', () => String(dropped.more))] : []
  return [...paragraphs, ...more]
}

/** Replaces line breaks with spaces. A line break could start another header or another line of the e-mail. */
function oneLine(value: string): string {
  return value.replaceAll(/\s+/g, ' ').trim()
}
