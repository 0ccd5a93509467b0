// The fields of the loss: one that suits the target, and its parameter.

import type { Column, Settings } from "./api";
import { field, number, select, text, type Option } from "./fields";
import { LOSS_CHOICES, lossesFor, lossParts, lossText, lossWord, measureFits } from "./losses";
import { about, isOn, isSet, textOf } from "./settings";
import { recheck } from "./settingfields";
import { choose, set } from "./state";

/** As it is asked for; `probability` is another word for logistic. */
export function lossAsked(s: Settings): string {
    return !isSet(s, "loss") && isOn(s, "probability") ? "logistic" : textOf(s, "loss");
}

/** A measure that the new loss does not have is forgotten. */
function pick(s: Settings, word: string, target: Column | undefined): void {
    const first = LOSS_CHOICES.find((l) => l.word === word)?.parameter?.first(target) ?? "";
    const loss = lossText(word, first);
    choose({
        loss,
        probability: null,
        ...(measureFits(textOf(s, "measure"), loss) ? {} : { measure: null }),
    });
}

/** What is forgotten where a target is chosen that the loss does not suit. */
export function forgetLoss(s: Settings, classes: boolean, target: Column | undefined): Settings {
    const word = lossWord(lossAsked(s));
    const suits = lossesFor(classes, target, "").some((l) => l.word === word);
    return suits ? {} : { loss: null, probability: null, measure: null };
}

function parameterField(s: Settings, word: string): HTMLElement | null {
    const parameter = LOSS_CHOICES.find((l) => l.word === word)?.parameter;
    if (!parameter) return null;
    const value = lossParts(textOf(s, "loss")).parameter;
    const take = (v: string | number): void => set("loss", lossText(word, String(v)));
    const control =
        word === "quantiles"
            ? text(value.split(/\s*,\s*/).join(", "), "0.05, 0.5, 0.95", take)
            : number(value, {}, take, recheck);
    return field("loss", parameter.label, control, parameter.hint);
}

export function lossFields(
    s: Settings,
    classes: boolean,
    target: Column | undefined,
): (HTMLElement | null)[] {
    const word = lossWord(lossAsked(s));
    const choices = lossesFor(classes, target, word);
    const options = choices.map((l): Option<string> => [l.word, l.label]);
    if (!choices.some((l) => l.word === word)) options.push([word, word]);
    const parameter = parameterField(s, word);
    const { label, sentence, help } = about("loss");
    return [
        field(
            parameter ? "loss by" : "loss",
            label,
            select(word, options, (v) => pick(s, v, target)),
            sentence,
            help,
        ),
        parameter,
    ];
}
