/**
 * Kinds of callers. `child` can see content up to level 2. `proven` is the same child with a proof of the parental
 * code. `other` has no package. `suspended` has all packages, but the account is suspended.
 */
export const TEST_CALLERS = [
  'visitor',
  'account',
  'other',
  'child',
  'proven',
  'suspended',
  'operator',
] as const
export type TestCaller = (typeof TEST_CALLERS)[number]

interface Row {
  /**
   * Fields of the request. Placeholders are `$film`, `$strong`, `$trailer`, `$channel`, `$profile`, `$session` and
   * similar.
   */
  fields?: Record<string, string>
  /**
   * HTTP status of each caller. A caller that is not listed gets the status of `everyone`, and `proven` that of
   * `child`.
   */
  expect: Partial<Record<TestCaller | 'everyone', number>>
}

const SIGNED_IN: Row['expect'] = { everyone: 200, child: 200, visitor: 401, operator: 401 }
/** Statuses of calls for a film of level 4 that is in a package. */
const STRONG: Row['expect'] = {
  visitor: 401,
  operator: 401,
  account: 200,
  other: 403,
  child: 404,
  suspended: 403,
}
const CHANNEL: Row['expect'] = {
  visitor: 401,
  operator: 401,
  account: 200,
  other: 403,
  child: 200,
  suspended: 403,
}
const NOT_OFFERED: Row['expect'] = { everyone: 403, child: 403, visitor: 401, operator: 401 }
const OPEN: Row['expect'] = { everyone: 200 }
/** Series calls find nothing, because the programme is a film. */
const NO_SERIES: Row['expect'] = { ...CHANNEL, account: 404, child: 404 }
const NO_RECORDING: Row['expect'] = { everyone: 404, child: 404, visitor: 401, operator: 401 }
/** A child's profile may make these calls only with the parental code (spec 46). */
const OF_GROWN_UPS: Row['expect'] = { ...SIGNED_IN, child: 403, proven: 200 }
/** A suspended account cannot buy anything (A6-03). */
const OF_BUYERS: Row['expect'] = { ...OF_GROWN_UPS, suspended: 403 }
/** Statuses of calls that are refused because of their fields, or because their object does not exist. */
const REFUSED = (status: number): Row['expect'] => ({
  everyone: status,
  visitor: 401,
  operator: 401,
  child: 403,
  proven: status,
})
/**
 * The test has no subscription service to sign in to, so these calls fail. A suspended account is refused before
 * that.
 */
const SUBSCRIBING: Row['expect'] = { ...REFUSED(404), suspended: 403 }
const PUSH_SUBSCRIPTION = {
  endpoint: 'https://push.example.org/1',
  publicKey: `B${'A'.repeat(86)}`,
  secret: 'A'.repeat(22),
}
const LANGUAGES = { idAudioLang: 'fra', idSubtitleLang: 'non' }

const OPERATOR: Row['expect'] = { everyone: 403, operator: 200 }
const CONFIGURATION = '/operator/configuration'
const WORDS = '/operator/words/:language'
const FRENCH = { language: 'fra' }
const TEXTS = '/operator/editorial/:language/:type/:slug'
const TEXT = { ...FRENCH, type: 'articles', slug: 'nothing' }

/** An operator's call about an object that does not exist. */
const NOTHING: Row = {
  fields: { id: '999999', changes: '{}' },
  expect: { everyone: 403, operator: 404 },
}
const onNothing = (path: string): Record<string, Row> => ({
  [`POST ${path}/change`]: NOTHING,
  [`POST ${path}/remove`]: NOTHING,
  [`POST ${path}/run`]: NOTHING,
  [`GET ${path}/runs`]: NOTHING,
})

/** Statuses of each route by caller. For viewers' calls, an operator counts as a viewer who is not signed in. */
export const TABLE: Record<string, Row> = {
  'GET /healthz': { expect: OPEN },
  'GET /readyz': { expect: OPEN },
  'GET /metrics': { expect: OPEN },
  'GET /openapi.json': { expect: OPEN },
  'GET /time': { expect: OPEN },
  'POST /oauth/token': {
    fields: { username: 'x', password: 'y', grant_type: 'password' },
    expect: { everyone: 401 },
  },
  // Invalid fields, so that the caller stays signed in: `sign-out.test.ts` tests the call itself.
  'POST /proxy/logout': { fields: { languageId: 'xxx' }, expect: { everyone: 400 } },
  'POST /proxy/createAccount': { expect: { everyone: 400 } },
  'POST /proxy/validateAccount': { fields: { token: 'forged' }, expect: { everyone: 410 } },
  'POST /proxy/resendAccountActivationEmail': { fields: { email: 'a@ondine.test' }, expect: OPEN },
  'POST /proxy/askResetPassword': { fields: { email: 'b@ondine.test' }, expect: OPEN },
  'POST /proxy/resetPassword': {
    fields: { token: 'forged', password: 'Ondine-2027!', passwordConfirm: 'Ondine-2027!' },
    expect: { everyone: 410 },
  },
  'POST /proxy/updatePassword': {
    fields: { currentPassword: 'guess', password: 'Ondine-2027!', passwordConfirm: 'Ondine-2027!' },
    expect: REFUSED(401),
  },
  'POST /proxy/changeDetails': { fields: { firstName: 'Zoé' }, expect: OF_GROWN_UPS },
  'POST /proxy/changeAddress': { expect: OF_GROWN_UPS },
  // Invalid fields, so that no account is deleted: the tests of accounts cover the deletion.
  'POST /proxy/anonymizeMe': { fields: { languageId: 'xxx' }, expect: { everyone: 400, child: 400 } },
  'POST /proxy/loginDevice': { expect: SIGNED_IN },
  'GET /proxy/getPasswordPolicy': { expect: OPEN },
  'POST /proxy/beginSignOn': { expect: { everyone: 403 } },
  'POST /proxy/finishSignOn': { fields: { query: '?code=forged' }, expect: { everyone: 401 } },
  'POST /proxy/session': { expect: OPEN },
  'POST /proxy/msg': { expect: OPEN },
  'POST /proxy/accountDetails': { expect: OF_GROWN_UPS },
  'GET /crm/profile': { expect: SIGNED_IN },
  'GET /crm/profile/avatars': { expect: SIGNED_IN },
  'POST /crm/profile': {
    fields: { name: '', language: 'fra' },
    expect: REFUSED(400),
  },
  'PUT /crm/profile/:id': {
    fields: { id: '$profile', name: 'Camille', language: 'fra' },
    expect: { ...REFUSED(404), account: 200 },
  },
  // 404, because the profile is another account's, or the account's own default profile.
  'DELETE /crm/profile/:id': {
    fields: { id: '$profile' },
    expect: { ...REFUSED(404), account: 403 },
  },
  'POST /crm/profile/settings': { fields: { settings: '{"layoutMode":"grid"}' }, expect: SIGNED_IN },
  'POST /proxy/adultCode': { expect: SIGNED_IN },
  'POST /proxy/setAdultCode': {
    fields: { adultCode: '12' },
    expect: REFUSED(400),
  },
  'POST /proxy/validateAdultCode': {
    fields: { parentalCode: '1234' },
    // `child` and `other` have a parental code other than 1234. The other callers' accounts have no code.
    expect: { everyone: 404, visitor: 401, operator: 401, child: 403, other: 403 },
  },
  'POST /proxy/aboveLevel': {
    fields: { contentType: 'asset', contentId: '$strong' },
    expect: SIGNED_IN,
  },
  'POST /proxy/casAvailableDevice': { expect: OF_GROWN_UPS },
  'POST /proxy/casDeviceCount': { expect: OF_GROWN_UPS },
  'POST /proxy/casAddDevice': { expect: { everyone: 400, visitor: 401, operator: 401, child: 400 } },
  'POST /proxy/casAuth': {
    fields: { casDeviceId: '$device', name: 'Salon', type: 'device_tv' },
    expect: { ...REFUSED(404), account: 200 },
  },
  'POST /proxy/casRemoveDevice': {
    fields: { casDeviceId: '$device' },
    expect: { ...REFUSED(404), account: 200 },
  },
  'POST /proxy/startPairing': { expect: OPEN },
  'POST /proxy/pairingStatus': { fields: { secret: 'forged' }, expect: OPEN },
  'POST /proxy/pairingDevice': { fields: { code: 'ZZZZZZ' }, expect: OF_GROWN_UPS },
  'POST /proxy/addMaterialByPairing': { fields: { code: 'ZZZZZZ' }, expect: OF_GROWN_UPS },
  'POST /proxy/favoriteChannels': { expect: SIGNED_IN },
  'POST /proxy/favoriteAssets': { expect: SIGNED_IN },
  'POST /proxy/addFavoriteChannel': { fields: { idChannel: '$channel' }, expect: SIGNED_IN },
  'POST /proxy/removeFavoriteChannel': { fields: { idChannel: '$channel' }, expect: SIGNED_IN },
  'POST /proxy/addFavoriteAsset': {
    fields: { idAsset: '$strong' },
    expect: { ...SIGNED_IN, child: 404 },
  },
  'POST /proxy/removeFavoriteAsset': { fields: { idAsset: '$strong' }, expect: SIGNED_IN },
  'POST /crm/profile/active': {
    fields: { idProfile: '$profile' },
    // The object belongs to the caller `account`.
    expect: { visitor: 401, operator: 401, account: 200, other: 404, child: 404, suspended: 404 },
  },
  'POST /proxy/hierarchy': { expect: OPEN },
  'POST /proxy/homeContent': { expect: OPEN },
  'POST /proxy/listContent': { fields: { id: '999999' }, expect: { everyone: 404 } },
  'POST /proxy/contentData': { fields: { idAsset: '$strong' }, expect: { everyone: 200, child: 404 } },
  'POST /proxy/availableOffers': { expect: { ...OPEN, suspended: 403 } },
  // Refused, because the request names no offers, or the cart is empty. A suspended account is refused before
  // that.
  'POST /proxy/addOptions': { expect: { ...REFUSED(400), suspended: 403 } },
  'POST /proxy/removeOptions': { expect: { ...REFUSED(400), suspended: 403 } },
  'POST /proxy/listOptions': { expect: OF_BUYERS },
  'POST /proxy/optionsValidity': { expect: OF_BUYERS },
  'POST /proxy/listPaymentMethods': { expect: OF_BUYERS },
  'POST /proxy/askPayment': {
    fields: { returnUrl: '/offers', policyValidation: 'true' },
    expect: { ...REFUSED(400), suspended: 403 },
  },
  // A suspended account may still see and cancel its subscriptions.
  'POST /proxy/listSubscriptions': { expect: OF_GROWN_UPS },
  'POST /proxy/cancelSubscription': { fields: { subscriptionId: '999999' }, expect: REFUSED(404) },
  'POST /proxy/resumeSubscription': {
    fields: { subscriptionId: '999999' },
    expect: { ...REFUSED(404), suspended: 403 },
  },
  'POST /proxy/payRenewal': {
    fields: { subscriptionId: '999999', returnUrl: '/offers' },
    expect: { ...REFUSED(404), suspended: 403 },
  },
  'POST /proxy/listChanges': {
    fields: { subscriptionId: '999999' },
    expect: { ...REFUSED(404), suspended: 403 },
  },
  'POST /proxy/changeSubscription': {
    fields: {
      subscriptionId: '999999',
      idOption: '999999',
      idRevision: '999999',
      amount: '0.00',
      returnUrl: '/account/products',
      policyValidation: 'true',
    },
    expect: { ...REFUSED(404), suspended: 403 },
  },
  'POST /proxy/undoChange': {
    fields: { subscriptionId: '999999' },
    expect: { ...REFUSED(404), suspended: 403 },
  },
  'POST /proxy/validateVoucher': {
    fields: { voucherCode: 'NOTHING' },
    expect: { ...REFUSED(400), suspended: 403 },
  },
  'POST /proxy/redeemGift': {
    fields: { voucherCode: 'NOTHING' },
    expect: { ...REFUSED(400), suspended: 403 },
  },
  // No app store is configured that could confirm a purchase.
  'POST /inapp/:transactionId/link': {
    fields: { transactionId: '1', provider: 'apple', transactionParams: '{"signedTransaction":"forged"}' },
    expect: { ...REFUSED(400), suspended: 403 },
  },
  'GET /proxy/subscriptionSession': { expect: SUBSCRIBING },
  'POST /proxy/refreshSubscriptions': { expect: SUBSCRIBING },
  'POST /proxy/listReceipts': { expect: OF_GROWN_UPS },
  'GET /proxy/receipts/:idReceipt': { fields: { idReceipt: '999999' }, expect: REFUSED(404) },
  'GET /proxy/checkOrderStatus': { fields: { orderId: '999999' }, expect: REFUSED(404) },
  'GET /proxy/getBillingDashboardAccess': { expect: REFUSED(404) },
  'GET /sandbox-payments/:token': { fields: { token: 'forged' }, expect: { everyone: 404 } },
  'POST /sandbox-payments/:token': {
    fields: { token: 'forged', do: 'pay' },
    expect: { everyone: 404 },
  },
  'POST /payments/sandbox/notices': { expect: { everyone: 403 } },
  'POST /proxy/assets': { fields: { assetIds: '[1]' }, expect: OPEN },
  'POST /proxy/activeAssets': { expect: SIGNED_IN },
  'POST /proxy/removeActiveAsset': { fields: { idAsset: '$strong' }, expect: SIGNED_IN },
  'POST /proxy/restoreActiveAsset': { fields: { idAsset: '$strong' }, expect: SIGNED_IN },
  'POST /proxy/liveEvents': { expect: SIGNED_IN },
  'POST /proxy/aISummary': { fields: { idAsset: '$strong' }, expect: { everyone: 200, child: 404 } },
  'POST /proxy/assetScore': { fields: { idAsset: '$strong' }, expect: { everyone: 200, child: 404 } },
  'POST /proxy/changeScoreAsset': {
    fields: { idAsset: '$strong', score: '4' },
    expect: { ...SIGNED_IN, child: 404 },
  },
  'POST /proxy/listEditorial': { fields: { type: 'articles' }, expect: OPEN },
  'POST /proxy/editorialData': { fields: { slug: 'nowhere' }, expect: { everyone: 404 } },
  'POST /proxy/faqData': { expect: OPEN },
  'POST /proxy/listChannels': { expect: OPEN },
  'POST /proxy/listCountries': { expect: OPEN },
  'POST /proxy/epg': { expect: OPEN },
  'POST /proxy/epg/grid': { expect: OPEN },
  'GET /proxy/epg/event/:idChannel/:idEvent': {
    fields: { idChannel: '0', idEvent: '999999' },
    expect: { everyone: 404 },
  },
  'GET /cms/search': { fields: { term: 'front' }, expect: OPEN },
  'GET /cms/search/related': { fields: { contentId: '$strong' }, expect: { everyone: 200, child: 404 } },
  'GET /proxy/importProgress': { expect: { everyone: 403 } },
  'POST /proxy/testAsset': { fields: { idAsset: '$strong' }, expect: STRONG },
  'GET /proxy/listAssetTags': { fields: { idAsset: '$strong' }, expect: { everyone: 200, child: 404 } },
  'POST /proxy/readAsset': { fields: { idAsset: '$strong', ...LANGUAGES }, expect: STRONG },
  'POST /proxy/getVodLicense': { fields: { idAsset: '$strong', ...LANGUAGES }, expect: STRONG },
  'GET /proxy/screens': { expect: { everyone: 401 } },
  'POST /proxy/connectScreens': { fields: { as: 'phone' }, expect: SIGNED_IN },
  'POST /proxy/listScreens': { expect: SIGNED_IN },
  'POST /proxy/castTo': {
    fields: { casDeviceId: '999999', media: '{"content":{"kind":"asset","id":999999},"startAt":null}' },
    expect: NO_RECORDING,
  },
  'POST /proxy/controlScreen': {
    fields: { casDeviceId: '999999', command: '{"type":"pause"}' },
    expect: NO_RECORDING,
  },
  // 403, because the callers use no registered device.
  'POST /proxy/reportScreen': {
    fields: { number: '0' },
    expect: { everyone: 403, child: 403, visitor: 401, operator: 401 },
  },
  // Downloads are off by default. The service checks viewing rights first, so a child gets 404 for the hidden
  // title.
  'POST /proxy/downloadAsset': {
    fields: { idAsset: '$strong', ...LANGUAGES },
    expect: { ...NOT_OFFERED, child: 404, proven: 404 },
  },
  'POST /proxy/downloadLicence': {
    fields: { token: 'forged', deviceKey: `B${'A'.repeat(86)}` },
    expect: NOT_OFFERED,
  },
  'POST /proxy/downloadHelperTokens': {
    fields: { idAsset: '$strong' },
    expect: { ...NOT_OFFERED, child: 404, proven: 404 },
  },
  'POST /proxy/releaseDownload': {
    fields: { idAsset: '$strong', deviceKey: `B${'A'.repeat(86)}` },
    expect: SIGNED_IN,
  },
  // 403, because the downloads belong to a profile that nobody has.
  'POST /proxy/exchangePositions': {
    fields: { idProfile: '2147483647', positions: '[]' },
    expect: { everyone: 403, child: 403, visitor: 401, operator: 401 },
  },
  'POST /proxy/pushState': { expect: NO_RECORDING },
  'POST /proxy/subscribePush': { fields: PUSH_SUBSCRIPTION, expect: REFUSED(404) },
  'POST /proxy/renewPush': { fields: PUSH_SUBSCRIPTION, expect: SIGNED_IN },
  'POST /proxy/unsubscribePush': {
    fields: { endpoint: PUSH_SUBSCRIPTION.endpoint },
    expect: SIGNED_IN,
  },
  'POST /proxy/readTrailer': { fields: { idMedia: '$trailer' }, expect: { everyone: 200, child: 404 } },
  'POST /proxy/channelStream': { fields: { idChannel: '$channel' }, expect: CHANNEL },
  'POST /proxy/askLicenseWV': { fields: { idChannel: '$channel' }, expect: CHANNEL },
  'POST /proxy/askLicenseFP': { fields: { idChannel: '$channel' }, expect: CHANNEL },
  'POST /npvr/0': { fields: { idEvent: '$event', idChannel: '$channel' }, expect: CHANNEL },
  'GET /npvr/0': { expect: SIGNED_IN },
  'GET /npvr/0/:id': { fields: { id: '999999' }, expect: NO_RECORDING },
  'POST /npvr/0/:id': { fields: { id: '999999', isFavorite: 'true' }, expect: NO_RECORDING },
  'DELETE /npvr/0/:id': { fields: { id: '999999' }, expect: NO_RECORDING },
  'POST /npvr/0/:id/restore': { fields: { id: '999999' }, expect: NO_RECORDING },
  'GET /npvr/0/:id/read/:x': {
    fields: { id: '999999', x: 'start' },
    expect: { ...NO_RECORDING, suspended: 403 },
  },
  'POST /npvr/series': { fields: { idEvent: '$event', idChannel: '$channel' }, expect: NO_SERIES },
  'GET /npvr/series': { expect: SIGNED_IN },
  'PUT /npvr/series/:id': {
    fields: { id: '999999', episodes: 'all', anyChannel: 'true' },
    expect: NO_RECORDING,
  },
  'DELETE /npvr/series/:id': { fields: { id: '999999' }, expect: NO_RECORDING },
  'POST /npvr/series/:id/restore': { fields: { id: '999999' }, expect: NO_RECORDING },
  'GET /identity/0/quota': { expect: SIGNED_IN },
  // A report about an unknown advertisement succeeds, because a player cannot react to an error.
  'POST /proxy/reportAd': { fields: { report: 'forged', event: 'start' }, expect: OPEN },
  'POST /proxy/heartbeat': { fields: { session: 'forged', event: 'progress' }, expect: { everyone: 401 } },
  // This call requires a storefront's bearer token. The callers send their own tokens.
  'POST /graphql': { expect: { everyone: 401 } },
  'GET /images/:id/:height': { fields: { id: 'a'.repeat(32), height: '240' }, expect: { everyone: 404 } },
  // `images.test.ts` tests who may see which pictures.
  'GET /proxy/imgdata': { fields: { type: 'icon', objectId: 'home' }, expect: OPEN },
  'GET /media/empty.vtt': { expect: OPEN },
  'GET /media/:trackSet/:rendition/:file': {
    fields: { trackSet: 'a'.repeat(32), rendition: 'v720', file: '1.m4s' },
    expect: { everyone: 404 },
  },
  'GET /play/:token/:file': { fields: { token: 'forged', file: 'manifest.mpd' }, expect: { everyone: 401 } },
  'POST /play/:token/licence': { fields: { token: 'forged' }, expect: { everyone: 401 } },
  'POST /play/:token/widevine': { fields: { token: 'forged' }, expect: { everyone: 401 } },
  'POST /play/:token/fairplay': { fields: { token: 'forged' }, expect: { everyone: 401 } },
  'GET /play/:token/certificate': { fields: { token: 'forged' }, expect: { everyone: 401 } },
  'GET /play/:token/key/:keyId': {
    fields: { token: 'forged', keyId: 'a'.repeat(32) },
    expect: { everyone: 401 },
  },
  'GET /play/:token/relay/:file': {
    fields: { token: 'forged', file: 'main.m3u8' },
    expect: { everyone: 401 },
  },
  'GET /play/:token/relay/:sealed/*': {
    fields: { token: 'forged', sealed: 'a', '*': 'b.ts' },
    expect: { everyone: 401 },
  },
  'OPTIONS /time': { expect: { everyone: 204 } },
  'OPTIONS /media/empty.vtt': { expect: { everyone: 204 } },
  'OPTIONS /media/:trackSet/:rendition/:file': {
    fields: { trackSet: 'a'.repeat(32), rendition: 'v720', file: '1.m4s' },
    expect: { everyone: 204 },
  },
  'OPTIONS /play/:token/*': { fields: { token: 'forged', '*': 'manifest.mpd' }, expect: { everyone: 204 } },
  'GET /configuration/:apiKey/data/:file': {
    fields: { apiKey: 'ondine', file: 'configuration.json' },
    expect: OPEN,
  },
  'GET /configuration/redirectedKey': { expect: OPEN },
  [`GET ${CONFIGURATION}`]: { expect: OPERATOR },
  [`GET ${CONFIGURATION}/history`]: { expect: OPERATOR },
  [`GET ${CONFIGURATION}/diff`]: { fields: { from: '0', to: '0' }, expect: OPERATOR },
  // Operators may make these calls, but the input is invalid.
  [`POST ${CONFIGURATION}/change`]: {
    fields: { revision: '0', changes: '[{"path":"nothing","value":1}]' },
    expect: { everyone: 403, operator: 400 },
  },
  [`POST ${CONFIGURATION}/replace`]: {
    fields: { revision: '0', document: '{"nothing":1}' },
    expect: { everyone: 403, operator: 400 },
  },
  [`POST ${CONFIGURATION}/restore`]: {
    fields: { revision: '0', to: '7' },
    expect: { everyone: 403, operator: 404 },
  },
  [`POST ${CONFIGURATION}/undo`]: {
    fields: { revision: '0' },
    expect: { everyone: 403, operator: 400 },
  },
  'GET /operator/guide/sources': { expect: OPERATOR },
  'POST /operator/guide/sources/add': {
    fields: { source: '{"name":"x","location":"/etc/passwd"}' },
    expect: { everyone: 403, operator: 400 },
  },
  ...onNothing('/operator/guide/sources/:id'),
  'GET /operator/channels/lists': { expect: OPERATOR },
  'POST /operator/channels/lists/add': {
    fields: { list: '{"name":"x","location":"/etc/passwd"}' },
    expect: { everyone: 403, operator: 400 },
  },
  ...onNothing('/operator/channels/lists/:id'),
  'GET /operator/imports/:id/remarks': NOTHING,
  'GET /operator/offers': { expect: OPERATOR },
  'GET /operator/offers/:key': { fields: { key: 'nothing' }, expect: { everyone: 403, operator: 404 } },
  'POST /operator/offers/import': { fields: { file: 'offers: []' }, expect: OPERATOR },
  'POST /operator/offers/:key/migrate': {
    fields: { key: 'nothing' },
    expect: { everyone: 403, operator: 404 },
  },
  'POST /operator/offers/:key/withdraw': {
    fields: { key: 'nothing' },
    expect: { everyone: 403, operator: 404 },
  },
  'GET /operator/ledger/check': { expect: OPERATOR },
  'GET /operator/ledger/export': { fields: { month: '2026-01' }, expect: OPERATOR },
  'GET /operator/orders': { expect: OPERATOR },
  'GET /operator/orders/:idOrder': {
    fields: { idOrder: '999999' },
    expect: { everyone: 403, operator: 404 },
  },
  'POST /operator/orders/:idOrder/refund': {
    fields: { idOrder: '999999' },
    expect: { everyone: 403, operator: 404 },
  },
  'GET /operator/vouchers': { expect: OPERATOR },
  'POST /operator/vouchers/import': { fields: { file: 'vouchers: []' }, expect: OPERATOR },
  'POST /operator/vouchers/:key/generate': {
    fields: { key: 'nothing', count: '1' },
    expect: { everyone: 403, operator: 404 },
  },
  'POST /operator/vouchers/:key/withdraw': {
    fields: { key: 'nothing' },
    expect: { everyone: 403, operator: 404 },
  },
  'GET /operator/storefronts': { expect: OPERATOR },
  'POST /operator/storefronts/:apiKey/remove': {
    fields: { apiKey: 'nowhere', accounts: '0' },
    expect: { everyone: 403, operator: 404 },
  },
  'GET /operator/menus': { expect: OPERATOR },
  'GET /operator/menus/history': { expect: OPERATOR },
  'POST /operator/menus/replace': {
    fields: { revision: '0', document: '{"nothing":1}' },
    expect: { everyone: 403, operator: 400 },
  },
  'POST /operator/menus/restore': {
    fields: { revision: '0', to: '7' },
    expect: { everyone: 403, operator: 404 },
  },
  'POST /operator/menus/undo': { fields: { revision: '0' }, expect: { everyone: 403, operator: 400 } },
  'GET /operator/editorial': { expect: OPERATOR },
  [`GET ${TEXTS}`]: { fields: TEXT, expect: OPERATOR },
  [`GET ${TEXTS}/history`]: { fields: TEXT, expect: OPERATOR },
  [`POST ${TEXTS}/write`]: {
    fields: { ...TEXT, revision: '0', markdown: 'nothing' },
    expect: { everyone: 403, operator: 400 },
  },
  [`POST ${TEXTS}/remove`]: { fields: { ...TEXT, revision: '0' }, expect: { everyone: 403, operator: 404 } },
  [`POST ${TEXTS}/restore`]: {
    fields: { ...TEXT, revision: '0', to: '7' },
    expect: { everyone: 403, operator: 404 },
  },
  [`POST ${TEXTS}/undo`]: { fields: { ...TEXT, revision: '0' }, expect: { everyone: 403, operator: 400 } },
  'GET /translations/:apiKey/:file': { fields: { apiKey: 'ondine', file: 'fra.json' }, expect: OPEN },
  [`GET ${WORDS}`]: { fields: FRENCH, expect: OPERATOR },
  [`GET ${WORDS}/history`]: { fields: FRENCH, expect: OPERATOR },
  [`GET ${WORDS}/diff`]: { fields: { ...FRENCH, from: '0', to: '0' }, expect: OPERATOR },
  [`POST ${WORDS}/change`]: {
    fields: { ...FRENCH, revision: '0', changes: '[{"path":"nothing","value":"x"}]' },
    expect: { everyone: 403, operator: 400 },
  },
  [`POST ${WORDS}/replace`]: {
    fields: { ...FRENCH, revision: '0', document: '{"nothing":"x"}' },
    expect: { everyone: 403, operator: 400 },
  },
  [`POST ${WORDS}/restore`]: {
    fields: { ...FRENCH, revision: '0', to: '7' },
    expect: { everyone: 403, operator: 404 },
  },
  [`POST ${WORDS}/undo`]: {
    fields: { ...FRENCH, revision: '0' },
    expect: { everyone: 403, operator: 400 },
  },
}
