import { describe, expect, test } from 'vitest'
import { ERRORS, errorByCode } from './errors.ts'

/** Absolute values of the codes of A8.1 and V8, with patterns for their English and French texts. */
const A8_1 = [
  ['A8.1-02', 1, /no longer valid/i, /n’est plus valide/],
  ['A8.1-02', 2, /cache write error/i, /écriture du cache/],
  ['A8.1-02', 5, /temporarily unavailable/i, /momentanément indisponible/],
  ['A8.1-02', 7, /no such operation/i, /n’existe pas/],
  ['A8.1-02', 8, /list is empty/i, /liste est vide/],
  ['A8.1-02', 10, /channel not found/i, /chaîne introuvable/i],
  ['A8.1-02', 11, /subscription doesn’t include/i, /abonnement ne comprend pas/],
  ['A8.1-02', 150, /purchase code is required/i, /code d’achat est obligatoire/],
  ['A8.1-03', 163, /no offer was selected/i, /aucune offre/i],
  ['A8.1-03', 165, /device identifier is missing/i, /manque l’identifiant de l’appareil/],
  ['A8.1-03', 167, /unique device identifier is missing/i, /manque l’identifiant unique de l’appareil/],
  ['A8.1-03', 340, /no device is linked/i, /aucun appareil n’est lié/i],
  ['A8.1-03', 440, /maximum number of simultaneous sessions/i, /sessions simultanées/],
  ['A8.1-03', 451, /isn’t available in your region/i, /pas disponible dans votre région/],
  ['A8.1-03', 500, /nothing to pay/i, /rien à payer/],
  ['A8.1-03', 911, /voucher code isn’t valid/i, /code promotionnel n’est pas valable/],
  ['A8.1-04', 1000, /address is already in use/i, /adresse e-mail est déjà utilisée/],
  ['A8.1-04', 1102, /already have an active subscription/i, /déjà un abonnement actif/],
  ['A8.1-04', 1103, /incompatible with another option/i, /incompatible avec une autre/],
  ['A8.1-04', 1506, /version can’t be selected/i, /version ne peut pas être choisie/],
  ['A8.1-04', 1507, /audio language is required/i, /langue audio est obligatoire/],
  ['A8.1-04', 1508, /subtitle language is required/i, /langue des sous-titres est obligatoire/],
  ['A8.1-05', 1602, /no video was found/i, /aucune vidéo/i],
  ['A8.1-05', 1605, /isn’t available yet/i, /disponible/],
  ['A8.1-05', 1612, /access code is incorrect/i, /code d’accès est incorrect/],
  ['A8.1-05', 1615, /purchase code is incorrect/i, /code d’achat est incorrect/],
  ['A8.1-05', 1721, /doesn’t include this channel/i, /ne comprend pas cette chaîne/],
  ['A8.1-05', 2108, /payment data is missing/i, /manque les données de paiement/],
  ['A8.1-05', 2109, /payment data is not valid/i, /données de paiement ne sont pas valides/],
  ['A8.1-05', 2212, /required option is missing/i, /manque une option obligatoire/],
  ['A8.1-06', 2333, /already in your order/i, /déjà dans votre commande/],
  ['A8.1-06', 2334, /isn’t activated/i, /pas encore activé/],
  ['A8.1-06', 2335, /can’t be bought together/i, /ne peuvent pas être achetées ensemble/],
  ['A8.1-06', 2336, /only once/i, /qu’une fois/],
  ['A8.1-06', 3010, /content identifier is missing/i, /manque l’identifiant du contenu/],
  ['A8.1-06', 3011, /content type is missing/i, /manque le type du contenu/],
  ['A8.1-06', 4012, /no quota is defined/i, /aucun quota/i],
  ['A8.1-07', 2409, /suspended.+contact your service provider/i, /suspendu.+contactez votre fournisseur/i],
] as const

test.each(A8_1)('%s code %i has its text in both languages', (_clause, code, english, french) => {
  const { definition } = errorByCode(-code) ?? {}
  expect(definition?.text.eng).toMatch(english)
  expect(definition?.text.fra).toMatch(french)
})

describe('the closed list', () => {
  test('has unique negative codes, each with an error status and both texts', () => {
    const definitions = Object.values(ERRORS)
    expect(new Set(definitions.map(({ code }) => code)).size).toBe(definitions.length)
    for (const { code, status, text } of definitions) {
      expect(code).toBeLessThan(0)
      expect(status).toBeGreaterThanOrEqual(400)
      expect(status).toBeLessThan(600)
      expect(text.fra, String(code)).not.toBe('')
      expect(text.eng, String(code)).not.toBe('')
      expect(text.eng, String(code)).not.toBe(text.fra)
    }
  })

  test('contains no other code', () => {
    for (const code of [0, 1, -6, -99_999, Number.NaN]) expect(errorByCode(code)).toBeUndefined()
  })
})
