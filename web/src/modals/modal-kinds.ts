import type { Asset, Image } from '@ondine/contract/entities'
import type { RecordedEpisodes } from '@ondine/contract/recordings'
import type { ReviewExcerpt } from '@ondine/contract/review-summaries'

/** The subject of a modal: a title or a channel. */
export interface ItemContent {
  title: string
  image: Image | null
}

/** An offer to choose, with its formatted price. */
export interface OfferChoice {
  idOption: number
  title: string
  /** The description. Each line of the text is shown on a separate line. */
  description: string
  price: string
  /** The higher, former price, and its label for screen readers. */
  before?: { amount: string; label: string }
}

/** A profile to choose. */
interface ProfileChoice {
  idProfile: number
  name: string
  isKid: boolean
  /** Address of the profile's picture. If null, the first letter of the name is shown. */
  picture: string | null
}

/** The fields of a profile's form (A2.3-08). */
export interface ProfileFields {
  name: string
  language: string
  avatarId: number | null
  isKid: boolean
  hasControl: boolean
  level: number
}

/** A fault of a profile's form. */
export interface ProfileFault {
  field?: 'name'
  text: string
}

/** A device of the account. */
interface DeviceChoice {
  idDevice: number
  name: string
  /**
   * The service's type: `device_pc_osx`, `device_ios_phone` or `device_android_phone`. Any other type means a
   * television (A2.3).
   */
  type: string
  /** The last use, as text. */
  lastUsed: string
  /** Whether the viewer is using this device now. */
  current: boolean
}

/** A media of an asset: a stream with certain audio and subtitle languages. */
export type MediaChoice = Asset['medias'][number]

/** The modal state of the specification: the fields of any kind of modal (V3-42). */
export interface ModalFields {
  /** If empty, the modal shows the default title of its kind. */
  title: string
  description: string
  primaryLabel: string
  negativeLabel: string
  /** Initial value of the input field. */
  value: string
  /** Address to which the modal links. */
  link: string
  shareUrl: string
  itemContent: ItemContent | null
  offers: readonly OfferChoice[]
  transactionalOffers: readonly OfferChoice[]
  /** Whether the modal is about the local player that downloads need (A4.9). */
  isNeedPlayer: boolean
  /** Whether the profile chooser is displayed. */
  isDisplayModalSwitchProfile: boolean
}

/** Checks the code of an input. Resolves with undefined for a valid code, else with the error message. */
type InputCheck = (value: string) => Promise<string | undefined>

/** The error of a pairing, as text. */
export interface PairingFailure {
  title: string
  description: string
}

type Message = Partial<Pick<ModalFields, 'title' | 'description' | 'primaryLabel'>>
type Question = Message & Partial<Pick<ModalFields, 'negativeLabel'>>

/** An action for a title, with its text and its icon. */
export interface Action {
  text: string
  /** Second line of text. */
  note?: string
  /** Whether the action is unavailable. `note` gives the reason. */
  isDisabled?: boolean
  icon: 'open' | 'startOver' | 'favourite' | 'record' | 'remove' | 'share'
}

/** The quality and the languages of a download. */
export interface DownloadChoice {
  /** Largest height of the video, in lines; undefined without video. */
  height: number | undefined
  /** `subtitle` is `non` for a download without subtitles. */
  languages: { audio: string; subtitle: string }
}

/** An option of a list. */
interface Option {
  id: string
  title: string
}

/** How a series is recorded. */
export interface SeriesRuleChoice {
  episodes: RecordedEpisodes
  /** Whether episodes on other channels are recorded too. */
  anyChannel: boolean
  /** Number of recordings to keep; null for all. */
  keepLast: number | null
}

/**
 * All kinds of modals: their props, and as `value` the viewer's answer (V3-43, A2.3). The comment of a kind
 * describes this answer.
 */
export interface ModalKinds {
  /** No answer: shows a message only. */
  alert: { props: Message & Pick<ModalFields, 'title'> & { code?: string }; value: undefined }
  /** Whether the viewer confirms the action. */
  confirm: { props: Question & Pick<ModalFields, 'title'>; value: boolean }
  /** Whether the viewer wants to go to the website. The app asks this where it may not sell anything. */
  restrictPayment: { props: Message & Pick<ModalFields, 'link'>; value: boolean }
  /** The text of the input, valid by the modal's check if there is one; null if the viewer cancelled. */
  input: {
    props: Question &
      Partial<Pick<ModalFields, 'value'>> & {
        /** `parentalCode` is four hidden digits (V5, A5). `voucher` and `gift` are codes in plain text. */
        purpose: 'parentalCode' | 'voucher' | 'gift'
        check?: InputCheck
      }
    value: string | null
  }
  /** Whether the viewer wants to install the local player that downloads need. */
  download: { props: Message & Pick<ModalFields, 'link'>; value: boolean }
  /** Quality and languages of the download; null if the viewer cancelled. */
  chooseDownload: {
    props: Message & {
      itemContent: ItemContent
      /** Video heights in lines with their texts, the best quality first. `note` is the size of the download. */
      qualities: readonly { height: number; text: string; note: string }[]
      audio: readonly Option[]
      subtitles: readonly Option[]
      /** Initial choice. */
      choice: DownloadChoice
    }
    value: DownloadChoice | null
  }
  /** Id of the chosen offer. */
  subscribe: {
    props: Message & Pick<ModalFields, 'itemContent' | 'offers' | 'transactionalOffers'>
    value: number | null
  }
  /** The new active profile, or an action on the profiles. */
  switchProfile: {
    props: Message & { profiles: readonly ProfileChoice[]; activeProfile: number | null; canAdd: boolean }
    value: { action: 'switch' | 'edit'; idProfile: number } | { action: 'add' } | null
  }
  /** How the viewer shared the title; null if the viewer did not share it. */
  share: {
    props: Message & Pick<ModalFields, 'shareUrl'> & { itemContent: ItemContent }
    value: 'native' | 'copied' | 'email' | null
  }
  /** The result of the profile form. */
  profile: {
    props: Message & {
      /** Initial values of the form. */
      initial: ProfileFields
      avatars: readonly { id: number; name: string; picture: string }[]
      languages: readonly { id: string; title: string }[]
      /** Age ratings, with the ages as text. */
      levels: readonly { id: string; title: string }[]
      isNew: boolean
      /**
       * Whether the profile is the default profile. The default profile can be neither a child's nor deleted
       * (A6-04).
       */
      isDefault: boolean
      /** Text that says why this profile cannot be a child's; undefined if it can (A5-25, A5-26). */
      noKid: string | undefined
      /** Whether parental control is enabled (V1-11). */
      hasControl: boolean
      /** Whether the account has a parental code. */
      hasCode: boolean
      /** Stores the profile. @returns the error message and its field; undefined on success */
      save: (fields: ProfileFields) => Promise<ProfileFault | undefined>
    }
    value: 'saved' | 'delete' | null
  }
  /** The device to remove, or the viewer's choice to open the page of all devices. */
  manageDevices: {
    props: Message & {
      devices: readonly DeviceChoice[]
      numberOfDevices: number | null
      maxNumberOfDevices: number | null
    }
    value: { action: 'remove'; idDevice: number } | { action: 'page' } | null
  }
  /** The chosen media (V4-15). */
  manageMedia: {
    props: Message & { itemContent: ItemContent; medias: readonly MediaChoice[] }
    value: MediaChoice | null
  }
  /** Whether a device was paired. */
  addDevice: {
    props: Message &
      Partial<Pick<ModalFields, 'value'>> & {
        /**
         * Finds the device that displays the code, so that the viewer can confirm it. Omitted where no
         * confirmation is needed.
         */
        find?: (code: string) => Promise<{ name: string } | { failure: PairingFailure }>
        pair: (code: string) => Promise<PairingFailure | null>
      }
    value: boolean
  }
  /** Whether the viewer wants to go to the page for a new password. */
  resetPassword: { props: Message & Pick<ModalFields, 'link'>; value: boolean }
  /** Whether the viewer consents. */
  privacyPolicyConsent: { props: Question & Pick<ModalFields, 'link'>; value: boolean }
  /** Id of the chosen payment method. */
  payment: { props: Message & { methods: readonly { id: number; name: string }[] }; value: number | null }
  /** No answer: shows the reviews of a title. */
  aISummary: {
    props: Message & {
      itemContent: ItemContent
      summary: string
      sentiment: { positive: readonly string[]; negative: readonly string[] }
      reviews: readonly ReviewExcerpt[]
    }
    value: undefined
  }
  /** Whether the viewer wants to see the offers. Asked when the recording quota is used up (A4.8-10). */
  quotaLimit: { props: Question; value: boolean }
  /** How to record the series, or `end` to stop recording it; null if the viewer cancelled. */
  recordSeries: {
    props: Message & {
      /** Initial rule. */
      rule: SeriesRuleChoice
      /**
       * The channel to which the viewer can limit the recording of the series; null if the recording is for any
       * channel and was never limited to one.
       */
      channel: string | null
      /** Whether the profile already records the series, so that this modal changes the rule. */
      isRecorded: boolean
    }
    value: SeriesRuleChoice | 'end' | null
  }
  /** Index of the chosen action for a title (V9-11). */
  actions: {
    props: Message & { itemContent: ItemContent; actions: readonly Action[] }
    value: number | null
  }
  /** No answer: says that the account is suspended (V4-13, A8.1-07). */
  suspended: { props: Message; value: undefined }
}

/** The name of a kind of modal. */
export type ModalKind = keyof ModalKinds

/** The props of a kind of modal. */
export type ModalProps<K extends ModalKind> = ModalKinds[K]['props']

/** The answer of a kind of modal. */
export type ModalValue<K extends ModalKind> = ModalKinds[K]['value']

/** An open modal: the common modal state, and the props of its kind. */
export type ModalState<K extends ModalKind = ModalKind> = {
  [Kind in K]: ModalFields & { id: number; type: Kind } & Omit<ModalProps<Kind>, keyof ModalFields>
}[K]

/** The answers of modals that were closed without an answer: by Escape, by a navigation, or by another modal. */
export const UNANSWERED: { readonly [Kind in ModalKind]: ModalValue<Kind> } = {
  alert: undefined,
  confirm: false,
  restrictPayment: false,
  input: null,
  download: false,
  chooseDownload: null,
  subscribe: null,
  switchProfile: null,
  share: null,
  profile: null,
  manageDevices: null,
  manageMedia: null,
  addDevice: false,
  resetPassword: false,
  privacyPolicyConsent: false,
  payment: null,
  aISummary: undefined,
  quotaLimit: false,
  recordSeries: null,
  actions: null,
  suspended: undefined,
}

/** The kinds that stay open on a navigation (A2.3-03). */
export const KEPT_ON_NAVIGATION: ReadonlySet<ModalKind> = new Set(['switchProfile', 'privacyPolicyConsent'])

/** The kinds that require an answer. Neither Escape nor a press on the backdrop closes such a modal. */
export const MUST_BE_ANSWERED: ReadonlySet<ModalKind> = new Set(['privacyPolicyConsent'])
