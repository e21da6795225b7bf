import type { offers as french } from '../fra/offers.ts'

export const offers: typeof french = {
  elsewhereTitle: 'Your seat is waiting',
  elsewhere: 'Subscribe in our shop, then come back here to watch.',
  subscribe: 'Subscribe',
  closedTitle: 'No offers right now',
  closed: 'Nothing is on sale at the moment. You can still browse the catalogue.',
  toCatalogue: 'Browse the catalogue',
}
