import { expect, test } from 'vitest'
import { barePage } from './bare-page.ts'

test.each([
  ['fra', 'lang="fr"', 'Une erreur est survenue. Voulez-vous réessayer\u00A0?', 'Retour à l’accueil'],
  ['eng', 'lang="en"', 'An error has occurred. Would you like to try again?', 'Back to home'],
  ['deu', 'lang="en"', 'An error has occurred. Would you like to try again?', 'Back to home'],
] as const)(
  'V2.4-24 the bare page in %s has a sentence, the code and a way home',
  (language, tag, text, home) => {
    const html = barePage(language, 503)
    expect(html).toContain(tag)
    expect(html).toContain(text)
    expect(html).toMatch(/ 503</)
    expect(html).toContain(`<a href="/" style="color:#8fe9d6">${home}</a>`)
    // With the focus on the link, a television's remote can press the link at once.
    expect(html).toMatch(/<a href="" autofocus /)
    expect(html).not.toMatch(/<script|<link|<style|src=/)
  },
)
