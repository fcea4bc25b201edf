/** Names of our templates, and what was measured for their kinds of documents. */
import type { MessageDescriptor } from "@lingui/core";
import { msg } from "@lingui/core/macro";
import {
  Banknote,
  BriefcaseBusiness,
  FileSignature,
  HeartPulse,
  Landmark,
  type LucideIcon,
  Plug,
  ReceiptText,
  ShieldCheck,
  ShoppingCart,
  Store,
  Tags,
  Truck,
} from "lucide-react";
import { type TemplateKey, templateFields } from "./template-fields.ts";

export interface Template {
  key: TemplateKey;
  icon: LucideIcon;
  name: MessageDescriptor;
  description: MessageDescriptor;
  /**
   * F1 of the fields of this kind of document, with fields in users' words and no language model:
   * papers-a in bench/RESULTS.md, by kind (d35b4f5). Absent if it was not measured.
   */
  f1?: number;
}

export const templates: readonly Template[] = [
  {
    key: "invoice",
    icon: ReceiptText,
    name: msg`Invoice`,
    description: msg`Number, dates, seller and buyer, totals and lines`,
    f1: 0.716,
  },
  {
    key: "receipt",
    icon: Store,
    name: msg`Receipt`,
    description: msg`Shop, date, total and the items bought`,
    f1: 0.494,
  },
  {
    key: "purchase_order",
    icon: ShoppingCart,
    name: msg`Purchase order`,
    description: msg`Number, delivery, totals and the ordered items`,
    f1: 0.792,
  },
  {
    key: "delivery_note",
    icon: Truck,
    name: msg`Delivery note`,
    description: msg`Number, recipient, weight and the delivered items`,
    f1: 0.514,
  },
  {
    key: "bank_statement",
    icon: Landmark,
    name: msg`Bank statement`,
    description: msg`Account, balances and all bookings`,
    f1: 0.633,
  },
  {
    key: "contract",
    icon: FileSignature,
    name: msg`Contract`,
    description: msg`Parties, term, notice period and price`,
    f1: 0.442,
  },
  {
    key: "cv",
    icon: BriefcaseBusiness,
    name: msg`Curriculum vitae`,
    description: msg`Contact, jobs, education and languages`,
    f1: 0.468,
  },
  {
    key: "payslip",
    icon: Banknote,
    name: msg`Payslip`,
    description: msg`Gross and net pay, tax and all components`,
    f1: 0.796,
  },
  {
    key: "utility_bill",
    icon: Plug,
    name: msg`Utility bill`,
    description: msg`Provider, period, consumption and amount`,
    f1: 0.694,
  },
  {
    key: "insurance",
    icon: ShieldCheck,
    name: msg`Insurance policy`,
    description: msg`Policy, cover, premium and sum insured`,
    f1: 0.612,
  },
  {
    key: "price_list",
    icon: Tags,
    name: msg`Price list`,
    description: msg`Articles with their units and prices`,
    f1: 0.485,
  },
  {
    key: "medical_report",
    icon: HeartPulse,
    name: msg`Medical report`,
    description: msg`Patient, diagnosis, treatment and medication`,
    f1: 0.711,
  },
];

export const isTemplateKey = (key: string): key is TemplateKey => Object.hasOwn(templateFields, key);
