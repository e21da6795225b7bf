import { createHash } from 'node:crypto'
import { amountText } from '@ondine/contract/money'
import { escapeAttribute } from 'entities/escape'
import { NOTICE_MODES, type NoticeMode, type sandboxPayments } from './sandbox.table.ts'
import { type CardBehaviour, cardOf, lastDigitsOf, SANDBOX_CARDS } from './sandbox-cards.ts'

type SandboxPayment = typeof sandboxPayments.$inferSelect

/** Style of the bank's pages. It differs from Ondine's style, as an external bank's would. */
const STYLE = `
:root{color-scheme:light}
body{margin:0;background:#f4efe6;color:#2b2620;font:17px/1.5 Georgia,'Times New Roman',serif}
header{background:#7a4b1e;color:#fff;padding:14px 24px;font-size:20px}
.notice{margin:0;background:#ffe08a;color:#3d2c00;padding:12px 24px;font-weight:bold}
main{max-width:34em;margin:0 auto;padding:24px}
h1{font-size:26px;margin:0 0 4px}
.amount{font-size:34px;margin:0 0 20px}
fieldset{border:1px solid #b9a98d;border-radius:4px;margin:0 0 18px;padding:12px 16px}
legend{padding:0 6px}
label{display:block;padding:10px 0}
label small{display:block;padding-left:26px;color:#5d5346}
select{font:inherit;padding:8px;max-width:100%}
.warning{background:#fbe1dc;border:1px solid #a3321c;border-radius:4px;padding:12px 16px}
button,.button{font:inherit;display:inline-block;padding:12px 22px;border-radius:4px;border:2px solid #7a4b1e;background:#7a4b1e;color:#fff;text-decoration:none;cursor:pointer}
button.plain{background:transparent;color:#7a4b1e}
:focus-visible{outline:3px solid #1a56c4;outline-offset:2px}
`

/** Content security policy: no scripts, no loaded resources, and forms go to this site only. */
export const SANDBOX_PAGE_POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`,
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** Seconds after which the page of a finished payment sends the customer back to the service. */
const BACK_SECONDS = 3
/** Seconds after which a page that waits for a bank reloads. */
const AGAIN_SECONDS = 5

interface Words {
  language: string
  bank: string
  noMoney: string
  card: string
  notices: string
  noticeModes: Record<NoticeMode, string>
  cancel: string
  confirm: string
  waiting: string
  expired: string
  back: string
  payment: KindWords
  saving: KindWords & { nothing: string }
}

/** Texts of the page, for a payment or for saving a card without a payment. */
interface KindWords {
  cards: Record<CardBehaviour, string>
  /** Label of the button that submits the chosen card. */
  show: string
  declined: string
  confirmTitle: string
  confirmText: string
  done: string
  failed: string
}

const FRENCH: Words = {
  language: 'fr',
  bank: 'Banque d’essai',
  noMoney: 'Ceci est un essai : aucun argent ne circule. N’indiquez jamais une vraie carte.',
  card: 'Carte d’essai',
  notices: 'Avis envoyé au commerçant',
  noticeModes: {
    prompt: 'tout de suite',
    late: 'une minute plus tard',
    twice: 'deux fois',
    reordered: 'dans le désordre',
    never: 'jamais',
  },
  cancel: 'Annuler',
  confirm: 'Confirmer',
  waiting: 'La banque n’a pas encore répondu',
  expired: 'Cette page de paiement a expiré',
  back: 'Retourner au service',
  payment: {
    cards: {
      succeeds: 'Le paiement réussit.',
      declined: 'La banque refuse le paiement.',
      asksConfirmation: 'La banque demande une confirmation.',
      failsAtRenewal: 'Le paiement réussit, les suivants sont refusés.',
      answersLate: 'La banque répond au bout de 30 secondes.',
      expiresSoon: 'Le paiement réussit. La carte expire dans 50 jours.',
    },
    show: 'Payer',
    declined: 'La banque a refusé cette carte. Choisissez-en une autre.',
    confirmTitle: 'Confirmez ce paiement',
    confirmText: 'Votre banque demande si ce paiement vient bien de vous.',
    done: 'Paiement accepté',
    failed: 'Paiement annulé',
  },
  saving: {
    cards: {
      succeeds: 'La carte est enregistrée, et paie plus tard.',
      declined: 'La banque refuse la carte.',
      asksConfirmation: 'La banque demande une confirmation.',
      failsAtRenewal: 'La carte est enregistrée, les paiements sont refusés.',
      answersLate: 'La banque répond au bout de 30 secondes.',
      expiresSoon: 'La carte est enregistrée. Elle expire dans 50 jours.',
    },
    nothing: 'Rien n’est payé maintenant : la carte est enregistrée pour plus tard.',
    show: 'Enregistrer la carte',
    declined: 'La banque a refusé cette carte. Choisissez-en une autre.',
    confirmTitle: 'Confirmez cette carte',
    confirmText: 'Votre banque demande si c’est bien vous qui enregistrez cette carte.',
    done: 'Carte enregistrée',
    failed: 'Enregistrement annulé',
  },
}

const ENGLISH: Words = {
  language: 'en',
  bank: 'Sandbox Bank',
  noMoney: 'This is a test: no money moves. Never enter a real card.',
  card: 'Test card',
  notices: 'Notice sent to the merchant',
  noticeModes: {
    prompt: 'at once',
    late: 'one minute later',
    twice: 'twice',
    reordered: 'out of order',
    never: 'never',
  },
  cancel: 'Cancel',
  confirm: 'Confirm',
  waiting: 'The bank has not answered yet',
  expired: 'This payment page has expired',
  back: 'Back to the service',
  payment: {
    cards: {
      succeeds: 'The payment succeeds.',
      declined: 'The bank declines the payment.',
      asksConfirmation: 'The bank asks for confirmation.',
      failsAtRenewal: 'The payment succeeds, later ones are declined.',
      answersLate: 'The bank answers after 30 seconds.',
      expiresSoon: 'The payment succeeds. The card expires in 50 days.',
    },
    show: 'Pay',
    declined: 'The bank declined this card. Choose another one.',
    confirmTitle: 'Confirm this payment',
    confirmText: 'Your bank asks whether this payment is yours.',
    done: 'Payment accepted',
    failed: 'Payment cancelled',
  },
  saving: {
    cards: {
      succeeds: 'The card is saved, and pays later.',
      declined: 'The bank declines the card.',
      asksConfirmation: 'The bank asks for confirmation.',
      failsAtRenewal: 'The card is saved, its payments are declined.',
      answersLate: 'The bank answers after 30 seconds.',
      expiresSoon: 'The card is saved. It expires in 50 days.',
    },
    nothing: 'Nothing is paid now: the card is saved for later.',
    show: 'Save the card',
    declined: 'The bank declined this card. Choose another one.',
    confirmTitle: 'Confirm this card',
    confirmText: 'Your bank asks whether it is you who saves this card.',
    done: 'Card saved',
    failed: 'Nothing was saved',
  },
}

/** Renders the page of a payment in its current state. @param now milliseconds since the Unix epoch */
export function sandboxPage(payment: SandboxPayment, now: number): string {
  const words = payment.language === 'fra' ? FRENCH : ENGLISH
  const { state, expiresAt, needsConfirmation } = payment
  if (state === 'processing')
    return page(words, {
      refresh: `${AGAIN_SECONDS}`,
      main: `<h1>${words.waiting}</h1>${amountOf(payment, words)}`,
    })
  if (state !== 'open')
    return donePage(words, payment, wordsOf(payment, words)[state === 'failed' ? 'failed' : 'done'])
  if (expiresAt <= now) return donePage(words, payment, words.expired)
  return page(words, { main: needsConfirmation ? confirmation(words, payment) : form(words, payment) })
}

/** Returns the texts for a payment. A payment of 0 cents saves a card. */
function wordsOf({ cents }: SandboxPayment, { payment, saving }: Words): KindWords {
  return cents === 0 ? saving : payment
}

/**
 * Renders the error page, for example for an unknown payment. The page has no style, because the content security
 * policy of error pages forbids it.
 */
export function sandboxFaultPage(): string {
  return page(ENGLISH, { main: `<h1>${ENGLISH.expired}</h1>`, style: '' })
}

function form(words: Words, payment: SandboxPayment): string {
  const kind = wordsOf(payment, words)
  const shown = cardOf(payment.card ?? '') ?? SANDBOX_CARDS[0]
  const cards = SANDBOX_CARDS.map(({ number, brand, behaviour }) => {
    const checked = number === shown?.number ? ' checked' : ''
    const name = `${brand} •••• ${lastDigitsOf(number)}`
    return `<label><input type="radio" name="card" value="${number}"${checked}> ${name}<small>${kind.cards[behaviour]}</small></label>`
  })
  const modes = NOTICE_MODES.map((mode) => {
    const selected = mode === payment.notices ? ' selected' : ''
    return `<option value="${mode}"${selected}>${words.noticeModes[mode]}</option>`
  })
  return `<h1>${escapeAttribute(payment.description)}</h1>
${amountOf(payment, words)}
${payment.isDeclined ? `<p class="warning" role="alert">${kind.declined}</p>` : ''}
<form method="post">
<fieldset><legend>${words.card}</legend>${cards.join('')}</fieldset>
<p><label>${words.notices} <select name="notices">${modes.join('')}</select></label></p>
<p><button name="do" value="pay">${payment.cents === 0 ? kind.show : `${kind.show} ${priceOf(payment, words)}`}</button>
<button class="plain" name="do" value="cancel">${words.cancel}</button></p>
</form>`
}

function confirmation(words: Words, payment: SandboxPayment): string {
  const { confirmTitle, confirmText } = wordsOf(payment, words)
  return `<h1>${confirmTitle}</h1>
${amountOf(payment, words)}
<p>${confirmText}</p>
<form method="post">
<p><button name="do" value="confirm">${words.confirm}</button>
<button class="plain" name="do" value="cancel">${words.cancel}</button></p>
</form>`
}

function donePage(words: Words, payment: SandboxPayment, heading: string): string {
  const back = escapeAttribute(payment.returnUrl)
  return page(words, {
    refresh: `${BACK_SECONDS};url=${back}`,
    main: `<h1>${heading}</h1>${payment.cents === 0 ? '' : amountOf(payment, words)}<p><a class="button" href="${back}">${words.back}</a></p>`,
  })
}

function amountOf(payment: SandboxPayment, words: Words): string {
  return payment.cents === 0
    ? `<p>${words.saving.nothing}</p>`
    : `<p class="amount">${priceOf(payment, words)}</p>`
}

function priceOf({ cents }: SandboxPayment, { language }: Words): string {
  return language === 'fr' ? `${amountText(cents).replace('.', ',')}\u00A0€` : `€${amountText(cents)}`
}

function page(
  words: Words,
  { main, refresh, style = `<style>${STYLE}</style>` }: { main: string; refresh?: string; style?: string },
): string {
  return `<!doctype html>
<html lang="${words.language}">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="robots" content="noindex">
${refresh === undefined ? '' : `<meta http-equiv="refresh" content="${refresh}">`}
<title>${words.bank}</title>
${style}
<header>${words.bank}</header>
<p class="notice">${words.noMoney}</p>
<main>
${main}
</main>
`
}
