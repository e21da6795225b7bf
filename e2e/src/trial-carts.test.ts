import { listPaymentMethods } from '@ondine/contract/orders'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { expectSound } from './checks.ts'
import { callAs } from './people.ts'
import { shopPages } from './shop-pages.ts'

describe('the cart of a trial', () => {
  const { operator, buyer, main, heading, card } = shopPages()

  /** Opens the cart with the trial of a new account, with its terms accepted. */
  async function trial(): Promise<Page> {
    const page = await buyer('/offers')
    await card(page, 'Intégral').getByRole('link', { name: 'Essayer gratuitement' }).click()
    await main(page)
      .getByText(/^0,00\s€$/)
      .first()
      .waitFor()
    await main(page).getByText('je renonce pour cela').click()
    return page
  }
  const startButton = (page: Page) => main(page).getByRole('button', { name: 'Commencer l’essai gratuit' })

  it('A2.3-12 A4.8-03 A4.8-04 a trial costs nothing today, announces the later charge, and saves a card at the bank', async () => {
    const page = await trial()
    await main(page)
      .getByText(/^À partir du .*\s: 12,99\s€ par mois$/)
      .waitFor()
    await main(page)
      .getByText(/^Rien à payer aujourd’hui\. Votre carte sera débitée de 12,99\s€ le .+, sauf si/)
      .waitFor()
    await main(page)
      .getByRole('radio', { name: /Nouvelle carte/ })
      .waitFor()
    expect(
      await main(page)
        .getByRole('radio', { name: /Sans carte/ })
        .count(),
    ).toBe(0)
    await expectSound(page, 'the cart of a trial')
    const [bank] = await Promise.all([page.waitForEvent('popup'), startButton(page).click()])
    await heading(page, 'Enregistrement de votre carte').waitFor()
    await bank.getByText('Rien n’est payé maintenant').waitFor()
    await Promise.all([
      bank.waitForEvent('close'),
      bank.getByRole('button', { name: 'Enregistrer la carte' }).click(),
    ])
    await heading(page, 'Confirmation de votre abonnement !').waitFor()
    const [saved] = await callAs(page, listPaymentMethods, {})
    expect(saved?.label).toBe('•••• 4242')
  })

  it('A4.8-06 a trial does not begin when its card is cancelled at the bank, and can be tried again', async () => {
    const page = await trial()
    const [bank] = await Promise.all([page.waitForEvent('popup'), startButton(page).click()])
    await bank.getByRole('button', { name: 'Annuler' }).waitFor()
    await bank.close()
    await heading(page, 'La fenêtre de paiement est fermée').waitFor()
    await main(page).getByText('Aucune carte n’a été enregistrée.').waitFor()
    const [again] = await Promise.all([
      page.waitForEvent('popup'),
      main(page).getByRole('button', { name: 'Reprendre' }).click(),
    ])
    await again.getByRole('button', { name: 'Annuler' }).click()
    await heading(page, 'La carte n’a pas été enregistrée').waitFor()
    await main(page).getByRole('button', { name: 'Essayer à nouveau' }).click()
    await startButton(page).waitFor()
  })

  it('A4.8-03 a trial may begin without a card where the operator requires none', async () => {
    await operator.set({ 'offers.isCardAskedForTrial': false })
    const page = await trial()
    await main(page)
      .getByText(/^Rien à payer aujourd’hui\. Sans carte, l’essai s’arrête le/)
      .waitFor()
    await main(page).getByText('Nouvelle carte bancaire').click()
    await main(page)
      .getByText(/Votre carte sera débitée de 12,99\s€ le/)
      .waitFor()
    await main(page).getByText('Sans carte', { exact: true }).click()
    await startButton(page).click()
    await heading(page, 'Confirmation de votre abonnement !').waitFor()
    expect((await callAs(page, listPaymentMethods, {})).map(({ label }) => label)).toEqual([null])
  })
})
