import type { gift as french } from '../fra/gift.ts'

export const gift: typeof french = {
  heading: 'Got a gift?',
  lead: 'A gift code gives you a plan for a few months, without a card.',
  enter: 'I have a gift code',
  redeem: 'Use the code',
  title: 'Your gift is here!',
  text_one: '{{title}} for {{count}} month: from {{from}} to {{to}}. You won’t be charged.',
  text_other: '{{title}} for {{count}} months: from {{from}} to {{to}}. You won’t be charged.',
  invalid: 'This gift code isn’t valid.',
  used: 'This gift code has already been used.',
  list: 'Gifts',
  until: 'Gift: available from {{from}} to {{to}}',
}
