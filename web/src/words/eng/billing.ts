import type { billing as french } from '../fra/billing.ts'

export const billing: typeof french = {
  methods: 'Payment methods',
  card: '{{brand}} {{label}}',
  lastUsed: 'Last payment on {{date}}',
  noMethods: 'No saved card. We’ll save the one you use for your next purchase.',
  dashboard: 'Manage my cards',
  dashboardText: 'Your cards are managed on our payment provider’s page.',
  dashboardFailed: 'This page can’t be opened at the moment. Please try again shortly.',
  receipts: 'Receipts and credit notes',
  noReceipts: 'You don’t have any receipts yet. Every payment will have one.',
  receipt: 'Receipt {{number}}',
  creditNote: 'Credit note {{number}}',
  special: '{{title}} (special offer, usual price: {{amount}})',
  vat: 'including {{vat}} VAT',
  download: 'Download',
  downloadOf: 'Download {{number}} (PDF)',
  all_one: 'Show {{count}} more document',
  all_other: 'Show {{count}} more documents',
}
