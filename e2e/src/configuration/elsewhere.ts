/** Fields whose effect no page of the server shows, and the test that sees it. */
export const SEEN_BY: Readonly<Record<string, string>> = {
  'languages.dateFormats': 'e2e/src/words.test.ts',
  'navigation.navBar': 'e2e/src/shell.test.ts',
  'navigation.virtualRemote': 'e2e/src/configuration.test.ts',
  'home.anonymousPage': 'e2e/src/editorial.test.ts',
  'catalogue.leavingDays': 'web/src/features/catalogue/asset-tags.test.ts',
  'catalogue.related.criteria': 'server/src/features/search/related.test.ts',
  'catalogue.related.order': 'server/src/features/search/related.test.ts',
  'search.itemsPerPage': 'server/src/features/search/search.test.ts',
  'search.suggestions': 'e2e/src/configuration.test.ts',
  'search.recent': 'e2e/src/configuration.test.ts',
  'guide.epgGridConfiguration.granularity': 'web/src/features/guide/range.test.ts',
  'downloads.downloadEnabled': 'web/src/shell/guards.test.ts',
  'accounts.isKidProfileCreationEnabled': 'server/src/features/profiles/profiles.test.ts',
  'accounts.isSwitchProfileModalEnabled': 'e2e/src/profiles.test.ts',
  'accounts.countries': 'server/src/features/countries/countries.test.ts',
  'accounts.maximumDevices': 'server/src/features/devices/devices.test.ts',
  'accounts.maximumSessions': 'server/src/features/devices/devices.test.ts',
  'accounts.maximumProfiles': 'server/src/features/profiles/profiles.test.ts',
  'accounts.authentication.clientId': 'server/src/features/sign-on/sign-on.test.ts',
  'accounts.authentication.scopes': 'server/src/features/sign-on/sign-on.test.ts',
  'accounts.consent': 'server/src/features/accounts/registration.test.ts',
  'registration.mandatory': 'server/src/features/accounts/registration.test.ts',
  'registration.passwordPolicy': 'server/src/features/accounts/registration.test.ts',
  'player.mediaSelectionEnabled': 'e2e/src/modals.test.ts',
  'settings.share-url': 'e2e/src/configuration.test.ts',
}

/** Fields that something reads, though no test flips them, and why. */
export const UNTRIED: Readonly<Record<string, string>> = {
  'catalogue.subCategoryLayout': 'No category of the demonstration has others in it.',
}

/** Fields that nothing reads yet, by the feature that is to read them. */
export const AWAITED = {
  'playing: the player’s settings': [
    'player.bingeEnabled',
    'player.bingeTiming',
    'player.controlHideDelay',
    'player.defaultAudio',
    'player.defaultSubtitle',
  ],
  'playing: the viewer’s name over the picture': ['player.watermark'],
  'playing: timeshift and starting over': [
    'live.channelLiveMode',
    'live.startOverEnabled',
    'live.backToLiveEnabled',
    'live.timeshiftOttConfig',
  ],
  casting: ['player.castEnabled', 'player.isAirPlayEnabled', 'settings.receiver'],
  downloads: [
    'downloads.helperUrl',
    'downloads.defaultAudio',
    'downloads.defaultSubtitle',
    'downloads.licenceDays',
    'downloads.licenceHoursAfterPlay',
  ],
  'offers and payment': [
    'offers.subscription',
    'offers.transactional',
    'offers.externalUrl',
    'offers.billingRedirectionMode',
    'offers.brandBillingProviderId',
    'offers.mobilePayment',
    'offers.rentalDisplayLimitHours',
    'offers.globalPromotion',
  ],
  'the third-party subscription service': ['offers.subscriptionService'],
  'summaries by a language model': ['catalogue.aiSummary'],
  'figures of what viewers do': ['settings.settingCustomerId', 'settings.environmentId'],
} as const satisfies Record<string, readonly string[]>
