import type { BundledLanguage } from '@ondine/contract/languages'

/** The words of a printed receipt. */
export const RECEIPT_WORDS: Record<
  BundledLanguage,
  {
    receipt: string
    creditNote: string
    number: string
    /** Colon after a label. */
    colon: string
    date: string
    /** Label on a credit note, before the number of the cancelled receipt. */
    cancels: string
    seller: string
    buyer: string
    service: string
    period: string
    amount: string
    discount: string
    /** Label before the credit for the unused time of the previous plan. */
    credit: string
    /** Label before the usual price, on a line with a promotional price. */
    special: string
    net: string
    vat: string
    total: string
    refunded: string
    paid: string
  }
> = {
  fra: {
    receipt: 'Reçu',
    creditNote: 'Avoir',
    number: 'Numéro',
    colon: '\u00a0:',
    date: 'Date',
    cancels: 'Annule le reçu',
    seller: 'Vendeur',
    buyer: 'Client',
    service: 'Désignation',
    period: 'Période',
    amount: 'Montant TTC',
    discount: 'dont remise',
    credit: 'temps non utilisé déduit\u00a0:',
    special: 'offre spéciale, prix habituel\u00a0:',
    net: 'Total HT',
    vat: 'TVA',
    total: 'Total TTC',
    refunded: 'Remboursé en totalité.',
    paid: 'Payé en totalité.',
  },
  eng: {
    receipt: 'Receipt',
    creditNote: 'Credit note',
    number: 'Number',
    colon: ':',
    date: 'Date',
    cancels: 'Cancels receipt',
    seller: 'Seller',
    buyer: 'Customer',
    service: 'Description',
    period: 'Period',
    amount: 'Amount incl. VAT',
    discount: 'discount',
    credit: 'unused time deducted:',
    special: 'special offer, usual price:',
    net: 'Total excl. VAT',
    vat: 'VAT',
    total: 'Total incl. VAT',
    refunded: 'Refunded in full.',
    paid: 'Paid in full.',
  },
}
