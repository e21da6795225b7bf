import type { Asset, Image } from '@ondine/contract/entities'
import type { ReviewExcerpt } from '@ondine/contract/review-summaries'

/** What a modal is about: a title, a channel. */
export interface ItemContent {
  title: string
  image: Image | null
}

/** An offer to choose from, its price in words. */
export interface OfferChoice {
  idOption: number
  title: string
  description: string
  price: string
}

/** A profile to choose from. */
export interface ProfileChoice {
  idProfile: number
  name: string
  isKid: boolean
  /** Address of its picture; null for its first letter. */
  picture: string | null
}

/** A profile as a person fills it in (A2.3-08). */
export interface ProfileFields {
  name: string
  language: string
  avatarId: number | null
  isKid: boolean
  hasControl: boolean
  level: number
}

/** What is wrong with a profile that was filled in. */
export interface ProfileFault {
  field?: 'name'
  text: string
}

/** A device of the account. */
export interface DeviceChoice {
  idDevice: number
  name: string
  /** As the service names it: `device_pc_osx`, `device_ios_phone`, `device_android_phone`, else a television (A2.3). */
  type: string
  /** When it was last used, in words. */
  lastUsed: string
  /** The device that this is. */
  current: boolean
}

/** One of the media that an asset can be played from. */
export type MediaChoice = Asset['medias'][number]

/** The modal state of the specification: what any modal may hold, whatever its kind (V3-42). */
export interface ModalFields {
  /** Empty: the kind's own. */
  title: string
  description: string
  primaryLabel: string
  negativeLabel: string
  /** What a field begins with. */
  value: string
  /** Where the modal leads. */
  link: string
  shareUrl: string
  itemContent: ItemContent | null
  offers: readonly OfferChoice[]
  transactionalOffers: readonly OfferChoice[]
  /** Whether what was asked for needs the local player (A4.9). */
  isNeedPlayer: boolean
  /** Whether the chooser of profiles is what is displayed. */
  isDisplayModalSwitchProfile: boolean
}

/** What the code of an input is checked by: nothing when it is right, else what is wrong, in words. */
export type InputCheck = (value: string) => Promise<string | undefined>

/** What pairing failed with, in words. */
export interface PairingFailure {
  title: string
  description: string
}

type Message = Partial<Pick<ModalFields, 'title' | 'description' | 'primaryLabel'>>
type Question = Message & Partial<Pick<ModalFields, 'negativeLabel'>>

/** Something to do with a title: its words, and the drawing before them. */
export interface Action {
  text: string
  icon: 'open' | 'favourite' | 'remove' | 'share'
}

/** All kinds of modals: what each is given, and what it gives back (V3-43, A2.3). */
export interface ModalKinds {
  /** Says something; there is nothing to answer. */
  alert: { props: Message & Pick<ModalFields, 'title'> & { code?: string }; value: undefined }
  /** Whether to do it. */
  confirm: { props: Question & Pick<ModalFields, 'title'>; value: boolean }
  /** An app may not sell: whether the viewer goes to the website. */
  restrictPayment: { props: Message & Pick<ModalFields, 'link'>; value: boolean }
  /** What was written and, if there is a check, passed it; null when it was given up. */
  input: {
    props: Question &
      Partial<Pick<ModalFields, 'value'>> & {
        /** `parentalCode`: four digits that are not shown (V5, A5). `voucher` and `gift`: a code. */
        purpose: 'parentalCode' | 'voucher' | 'gift'
        check?: InputCheck
      }
    value: string | null
  }
  /** Whether to fetch the local player that downloads need. */
  download: { props: Message & Pick<ModalFields, 'link'>; value: boolean }
  /** The offer that was chosen. */
  subscribe: {
    props: Message & Pick<ModalFields, 'itemContent' | 'offers' | 'transactionalOffers'>
    value: number | null
  }
  /** Who watches from now on, or what to do with the profiles. */
  switchProfile: {
    props: Message & { profiles: readonly ProfileChoice[]; activeProfile: number | null; canAdd: boolean }
    value: { action: 'switch' | 'edit'; idProfile: number } | { action: 'add' } | null
  }
  /** How it was shared. */
  share: {
    props: Message & Pick<ModalFields, 'shareUrl'> & { itemContent: ItemContent }
    value: 'native' | 'copied' | 'email' | null
  }
  /** What became of the profile that was filled in. */
  profile: {
    props: Message & {
      /** What stands in the form at first. */
      initial: ProfileFields
      avatars: readonly { id: number; name: string; picture: string }[]
      languages: readonly { id: string; title: string }[]
      /** Levels with the ages that they stand for. */
      levels: readonly { id: string; title: string }[]
      isNew: boolean
      /** The default profile is no child's and stays (A6-04). */
      isDefault: boolean
      /** Why there can be no child's profile, in words; undefined where there can (A5-25, A5-26). */
      noKid: string | undefined
      /** Whether there is parental control (V1-11). */
      hasControl: boolean
      /** Stores it. @returns what is wrong, in words, and with which field; undefined when nothing is */
      save: (fields: ProfileFields) => Promise<ProfileFault | undefined>
    }
    value: 'saved' | 'delete' | null
  }
  /** The device to remove, or that the viewer goes to the page of all devices. */
  manageDevices: {
    props: Message & {
      devices: readonly DeviceChoice[]
      numberOfDevices: number | null
      maxNumberOfDevices: number | null
    }
    value: { action: 'remove'; idDevice: number } | { action: 'page' } | null
  }
  /** The media to play (V4-15). */
  manageMedia: {
    props: Message & { itemContent: ItemContent; medias: readonly MediaChoice[] }
    value: MediaChoice | null
  }
  /** Whether a device was paired. */
  addDevice: {
    props: Message &
      Partial<Pick<ModalFields, 'value'>> & {
        /** What shows a code, for the person to confirm; left out where nothing is to be confirmed. */
        find?: (code: string) => Promise<{ name: string } | { failure: PairingFailure }>
        pair: (code: string) => Promise<PairingFailure | null>
      }
    value: boolean
  }
  /** Whether the viewer goes to where passwords are set anew. */
  resetPassword: { props: Message & Pick<ModalFields, 'link'>; value: boolean }
  /** Whether the viewer consents. */
  privacyPolicyConsent: { props: Question & Pick<ModalFields, 'link'>; value: boolean }
  /** The way to pay that was chosen. */
  payment: { props: Message & { methods: readonly { id: number; name: string }[] }; value: number | null }
  /** What others make of a title. */
  aISummary: {
    props: Message & {
      itemContent: ItemContent
      summary: string
      sentiment: { positive: readonly string[]; negative: readonly string[] }
      reviews: readonly ReviewExcerpt[]
    }
    value: undefined
  }
  /** The quota of recordings is used up: whether the viewer goes to the offers (A4.8-10). */
  quotaLimit: { props: Question; value: boolean }
  /** What to do with a title: the place of the action that was chosen (V9-11). */
  actions: {
    props: Message & { itemContent: ItemContent; actions: readonly Action[] }
    value: number | null
  }
  /** The account is suspended (V4-13, A8.1-07). */
  suspended: { props: Message; value: undefined }
}

/** The name of a kind of modal. */
export type ModalKind = keyof ModalKinds

/** What a kind is given. */
export type ModalProps<K extends ModalKind> = ModalKinds[K]['props']

/** What a kind gives back. */
export type ModalValue<K extends ModalKind> = ModalKinds[K]['value']

/** An open modal: the modal state, and what its kind has besides. */
export type ModalState<K extends ModalKind = ModalKind> = {
  [Kind in K]: ModalFields & { id: number; type: Kind } & Omit<ModalProps<Kind>, keyof ModalFields>
}[K]

/** What a modal gives back that was closed without an answer: by Escape, by a navigation, by another modal. */
export const UNANSWERED: { readonly [Kind in ModalKind]: ModalValue<Kind> } = {
  alert: undefined,
  confirm: false,
  restrictPayment: false,
  input: null,
  download: false,
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
  actions: null,
  suspended: undefined,
}

/** The kinds that a navigation leaves open (A2.3-03). */
export const KEPT_ON_NAVIGATION: ReadonlySet<ModalKind> = new Set(['switchProfile', 'privacyPolicyConsent'])

/** The kinds that wait for an answer: neither Escape nor a press beside them closes them. */
export const MUST_BE_ANSWERED: ReadonlySet<ModalKind> = new Set(['privacyPolicyConsent'])
