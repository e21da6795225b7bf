import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, it } from 'vitest'
import { OfferCard, type OfferContent } from './offer-card.tsx'

const drawn = (offer: Partial<OfferContent>) =>
  renderToStaticMarkup(
    OfferCard({ layout: 'OfferSquare', title: 'Cinéma', image: null, children: null, ...offer }),
  )
/** Returns the text content of the HTML, which screen readers read. */
const heard = (html: string) => html.replaceAll(/<[^>]+>/g, '')

describe('the offer card', () => {
  it('A3-31 A2.3-12 strikes the usual price through, and labels it', () => {
    const html = drawn({
      price: {
        amount: '4,49 €',
        before: { amount: '8,99 €', label: 'Prix habituel :' },
        note: 'Le premier mois',
      },
      tags: [{ tone: 'new', text: 'Offre de rentrée' }],
    })
    expect(/<s\b[^>]*>(.*?)<\/s>/.exec(html)?.[1]).toContain('8,99 €')
    expect(heard(html)).toMatch(/Offre de rentrée.*Prix habituel : 8,99 € 4,49 €.*Le premier mois/)
  })

  it('A2.3-12 strikes nothing through without a lower price', () => {
    expect(drawn({ price: { amount: '8,99 €', per: 'par mois' } })).not.toContain('<s ')
    expect(heard(drawn({}))).toBe('Cinéma')
  })
})
