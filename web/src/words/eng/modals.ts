import type { modals as french } from '../fra/modals.ts'

export const modals: typeof french = {
  close: 'Close',
  ok: 'OK',
  cancel: 'Cancel',
  confirm: 'Confirm',
  continue: 'Continue',
  code: 'Code {{code}}',
  required: 'Required field',

  restrictPaymentTitle: 'On our website',
  restrictPayment: 'This app does not sell anything. Subscriptions and rentals are made on our website.',
  restrictPaymentGo: 'Open the website',

  parentalCodeTitle: 'Parental code',
  parentalCode: 'Enter the four digits of this account’s parental code.',
  parentalCodeLabel: 'Parental code',
  parentalCodeDigits: 'The code has four digits.',
  parentalCodeFailed: 'The code could not be checked. Please try again in a moment.',
  voucherTitle: 'Voucher code',
  voucher: 'Enter your code just as you received it.',
  voucherLabel: 'Voucher code',
  voucherFailed: 'The code could not be checked. Please try again in a moment.',

  downloadTitle: 'Watch offline',
  download: 'To download titles to this computer, install the player first. It takes a minute.',
  downloadGo: 'Get the player',

  subscribeTitle: 'Choose your plan',
  subscribe: 'To watch {{title}}, choose one of the offers that include it.',
  subscribeAny: 'Choose the offer that suits you.',
  subscriptions: 'Subscriptions',
  rentals: 'Rentals and purchases',
  noOffers: 'No offer includes this title at the moment.',

  switchProfileTitle: 'Who is watching?',
  switchProfile: 'Everyone has their own favourites and picks up where they stopped.',
  activeProfile: 'Active',
  kidProfile: 'Child',
  addProfile: 'Add a profile',

  shareTitle: 'Share',
  share: 'Send {{title}} to somebody who will love it.',
  shareLink: 'Link',
  shareCopy: 'Copy the link',
  shareCopied: 'Link copied',
  shareCopyFailed: 'The link could not be copied. Select it to copy it yourself.',
  shareEmail: 'Send by e-mail',
  shareNative: 'Share with…',
  shareSubject: '{{title}} · {{name}}',
  shareBody: 'You should watch “{{title}}”: {{url}}',

  profileTitle: 'Profile',
  profile: 'A profile keeps its own favourites, progress and languages.',
  profileName: 'Profile name',
  profileSave: 'Save',

  manageDevicesTitle: 'Your devices',
  manageDevices:
    'Every device that watches counts. Remove one that you no longer use to make room for this one.',
  manageDevicesCount: '{{count}} of {{max}} devices',
  manageDevicesPage: 'Manage my devices',
  deviceLaptop: 'Computer',
  devicePhone: 'Phone',
  deviceTelevision: 'Television',
  deviceCurrent: 'This device',
  deviceLast: 'Last used: {{date}}',
  deviceRemove: 'Remove',
  deviceRemoveLabel: 'Remove {{name}}',

  manageMediaTitle: 'Choose a version',
  manageMedia: '{{title}} comes in several versions.',
  mediaVersion: 'Version {{number}}',
  mediaAudio: 'Audio: {{languages}}',
  mediaSubtitles: 'Subtitles: {{languages}}',
  mediaNoSubtitles: 'No subtitles',

  addDeviceTitle: 'Add a television',
  addDevice: 'Open the app on your television, then enter the code that it shows.',
  addDeviceLabel: 'Code on the screen',
  addDeviceGo: 'Pair',
  addDeviceLoading: 'Pairing…',
  addDeviceFailed: 'Pairing failed',
  addDeviceFailedText: 'Check the code on the screen, then try again.',
  addDeviceRetry: 'Try again',
  addDeviceSuccess: 'All set',
  addDeviceSuccessText: 'Your television is paired with this account. Enjoy the show.',

  resetPasswordTitle: 'Change your password',
  resetPassword: 'Your password is changed at your provider. A page will open.',
  resetPasswordGo: 'Go there',

  consentTitle: 'Your data',
  consent:
    'We keep what you watch so that you can pick up where you stopped and get suggestions. Nothing is sold. Do you agree?',
  consentLink: 'Read the privacy policy',
  consentAccept: 'Accept',
  consentDecline: 'Decline',

  paymentTitle: 'Payment method',
  payment: 'Choose how to pay. Nothing is charged before you confirm.',
  noPaymentMethods: 'No payment method is offered at the moment.',

  aISummaryTitle: 'What people say',
  aISummarySource: 'A summary written automatically from published reviews.',
  sentimentPositive: 'Loved',
  sentimentNegative: 'Less so',
  reviews: 'Reviews',
  reviewRating: '{{rating}} out of 5',

  quotaLimitTitle: 'Out of space',
  quotaLimit:
    'Your recording space is full. Another offer gives you more hours; you can also delete recordings.',
  quotaLimitGo: 'See the offers',

  suspendedTitle: 'Account suspended',
  suspended: 'Your account is suspended. Please contact your service provider.',
}
