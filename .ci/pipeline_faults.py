"""Faults to plant in folders of pipelines: by kind, each a name and a function that changes a folder in place."""

import json
import re
import shutil
from pathlib import Path

import openvino as ov
import openvino_tokenizers  # noqa: F401  (its operations, without which tokenizers are not read)
from openvino import opset13 as op

MODEL, TOKENIZER, DETOKENIZER = "openvino_model", "openvino_tokenizer", "openvino_detokenizer"
ENCODER, DECODER = "openvino_encoder_model", "openvino_decoder_model"
LANGUAGE, VISION, TEXT = (f"openvino_{part}_model" for part in ("language", "vision_embeddings", "text_embeddings"))
CONFIG, GENERATION, PREPROCESSOR = "config.json", "generation_config.json", "preprocessor_config.json"
INDEX, SCHEDULER = "model_index.json", "scheduler/scheduler_config.json"
POINTER = "version https://git-lfs.github.com/spec/v1\noid sha256:" + "0" * 64 + "\nsize 140053\n"


class Absent(Exception):
    """The folder has no place for the fault."""


# Files.


def remove(*names):
    """Removes files, or folders."""

    def edit(folder):
        for name in names:
            path = folder / name
            if not path.exists():
                raise Absent(name)
            shutil.rmtree(path) if path.is_dir() else path.unlink()

    return edit


def without(model):
    return remove(f"{model}.xml", f"{model}.bin")


def write(name, text):
    def edit(folder):
        data = text if isinstance(text, bytes) else (text if isinstance(text, str) else json.dumps(text)).encode()
        (folder / name).write_bytes(data)

    return edit


def set_json(name, **values):
    """Sets keys of a JSON file, `a__b` for b in a; None removes one."""

    def edit(folder):
        path = folder / name
        data = json.loads(path.read_text()) if path.exists() else {}
        for key, value in values.items():
            *above, key = key.split("__")
            here = data
            for part in above:
                here = here.setdefault(part, {})
            here.pop(key, None)
            if value is not None:
                here[key] = value
        path.write_text(json.dumps(data))

    return edit


def all_of(*edits):
    def edit(folder):
        for one in edits:
            one(folder)

    return edit


def text(name, old, new):
    def edit(folder):
        path = folder / name
        content = path.read_text()
        if old not in content:
            raise Absent(old)
        path.write_text(content.replace(old, new))

    return edit


def truncate(name, keep):
    """Keeps a part of a file."""

    def edit(folder):
        data = (folder / name).read_bytes()
        (folder / name).write_bytes(data[: keep(len(data))])

    return edit


def half(name):
    return truncate(name, lambda size: size // 2)


def note(model, key, value):
    """Sets a value of the information about the model, or removes it."""

    def edit(folder):
        path = folder / f"{model}.xml"
        content = re.sub(rf"\s*<{key} value=\"[^\"]*\" */>", "", path.read_text())
        if value is not None:
            content = content.replace("<rt_info>", f'<rt_info>\n<{key} value="{value}" />', 1) if "<rt_info>" in content else (
                content.replace("</net>", f'<rt_info><{key} value="{value}" /></rt_info></net>'))
        path.write_text(content)

    return edit


# Models.


def rename(model, old, new="renamed"):
    return text(f"{model}.xml", f'"{old}"', f'"{new}"')


def graph(model, change):
    """Changes a model as OpenVINO sees it."""

    def edit(folder):
        read = ov.Core().read_model(folder / f"{model}.xml")
        change(read)
        ov.save_model(read, folder / "changed.xml", compress_to_fp16=False)
        del read
        for ending in (".xml", ".bin"):
            shutil.move(folder / f"changed{ending}", folder / f"{model}{ending}")

    return edit


def parameter(model, name):
    for found in model.get_parameters():
        if name in found.output(0).get_names() or name == found.get_friendly_name():
            return found
    raise Absent(name)


def result(model, name):
    for found in model.get_results():
        if name in found.input_value(0).get_names():
            return found
    raise Absent(name)


def rewire(source, users, new):
    for user in users:
        user.replace_source_output(new.output(0))


def retype(name, to):
    def change(model):
        found = parameter(model, name) if name else model.get_parameters()[0]
        users, old = list(found.output(0).get_target_inputs()), found.get_output_element_type(0)
        found.set_element_type(getattr(ov.Type, to))
        found.validate_and_infer_types()
        rewire(found, users, op.convert(found, old))

    return change


def deepen(name):
    """One more axis for an input."""

    def change(model):
        found = parameter(model, name)
        users, names = list(found.output(0).get_target_inputs()), found.output(0).get_names()
        found.set_partial_shape(ov.PartialShape([-1] * (len(found.get_partial_shape()) + 1)))
        found.validate_and_infer_types()
        found.output(0).get_tensor().set_names(names)
        rewire(found, users, op.squeeze(found, op.constant([0])))

    return change


def output(name, change_output):
    """Puts another tensor in the place of an output."""

    def change(model):
        found = result(model, name) if name else model.get_results()[0]
        source = found.input_value(0)
        names = source.get_names()
        new = change_output(source)
        source.get_tensor().set_names(set())
        found.input(0).replace_source_output(new.output(0))
        new.output(0).get_tensor().set_names(names)

    return change


def convert(name, to):
    return output(name, lambda source: op.convert(source, to))


def wider(name, axis, by):
    def pad(source):
        rank = len(source.get_partial_shape())
        ends = [by if at == axis else 0 for at in range(rank)]
        return op.pad(source, op.constant([0] * rank), op.constant(ends), "constant", op.constant(0, source.get_element_type()))

    return output(name, pad)


def flat(name):
    """An output of one axis fewer."""
    return output(name, lambda source: op.reduce_max(source, op.constant([1]), False))


def static(**shapes):
    def change(model):
        for name in shapes:
            parameter(model, name)
        model.reshape({name: ov.PartialShape(shape) for name, shape in shapes.items()})

    return change


def drop_input(name, like, value=0):
    """A constant in the place of an input."""

    def change(model):
        found, other = parameter(model, name), parameter(model, like)
        filled = op.broadcast(op.constant(value, found.get_output_element_type(0)), op.shape_of(other))
        rewire(found, list(found.output(0).get_target_inputs()), filled)
        model.remove_parameter(found)

    return change


def drop_output(name):
    return lambda model: model.remove_result(result(model, name))


def extra_input(name):
    """A further input, which is added to another."""

    def change(model):
        found = parameter(model, name) if name else model.get_parameters()[0]
        users = list(found.output(0).get_target_inputs())
        new = op.parameter(found.get_partial_shape(), found.get_output_element_type(0), "extra")
        new.output(0).get_tensor().set_names({"extra"})
        model.add_parameters([new])
        rewire(found, users, op.add(found, op.multiply(new, op.constant(0, found.get_output_element_type(0)))))

    return change


def idle_input(model):
    """A further input, which nothing takes."""
    new = op.parameter(ov.PartialShape([-1]), ov.Type.i64, "extra")
    new.output(0).get_tensor().set_names({"extra"})
    model.add_parameters([new])


def extra_output(model):
    found = model.get_results()[0]
    new = op.result(op.relu(op.convert(found.input_value(0), "f32")))
    new.input_value(0).get_tensor().set_names({"extra"})
    model.add_results([new])


def first_output(model):
    """A further output before the others."""
    extra_output(model)
    *others, new = model.get_results()
    for other in others:
        model.remove_result(other)
    model.add_results(others)


def no_beams(like):
    """The order of beams, made within the model."""

    def change(model):
        found, other = parameter(model, "beam_idx"), parameter(model, like)
        count = op.gather(op.shape_of(other, "i32"), op.constant(0), op.constant(0))
        rewire(found, list(found.output(0).get_target_inputs()), op.range(op.constant(0), count, op.constant(1), "i32"))
        model.remove_parameter(found)

    return change


# Tables.


def files_of(model, folder=""):
    """Files of a model that are missing or cut."""
    model = folder + model
    return {
        f"{model}.xml removed": remove(f"{model}.xml"),
        f"{model} removed": without(model),
        f"{model}.bin removed": remove(f"{model}.bin"),
        f"{model}.bin is a pointer": write(f"{model}.bin", POINTER),
        f"{model}.xml is a pointer": write(f"{model}.xml", POINTER),
        f"{model}.bin half": half(f"{model}.bin"),
        f"{model}.bin a byte short": truncate(f"{model}.bin", lambda size: size - 1),
        f"{model}.xml half": half(f"{model}.xml"),
    }


def broken(*names):
    faults = {}
    for name in names:
        faults[f"{name} does not parse"] = write(name, "{")
        faults[f"{name} is empty"] = write(name, "")
        faults[f"{name} ends in a comma"] = write(name, '{"a": 1,}')
        faults[f"{name} is a list"] = write(name, "[]")
        faults[f"{name} is not UTF-8"] = write(name, b'{"a": "\xff\xfe"}')
    return faults


def types_of(name, keys):
    """Keys of a JSON file with values of other types."""
    values = {"a text": "x", "a number": 7, "a boolean": True, "a list": [7], "an object": {"a": 1}, "a list of texts": ["x"]}
    return {f"{name}: {key} is {what}": set_json(name, **{key: value}) for key in keys for what, value in values.items()}


def tokens(folder=""):
    """Faults of the pair and its files, which every pipeline reads that takes texts."""
    tokenizer, special = folder + "tokenizer_config.json", folder + "special_tokens_map.json"
    pair = folder + TOKENIZER
    unknown = all_of(set_json(folder + CONFIG, pad_token_id=None, bos_token_id=None, eos_token_id=None), write(special, {}))
    decoder = {"1": {"content": "</s>"}}
    return {
        **broken(tokenizer, special, folder + "chat_template.json", folder + "processor_config.json"),
        f"{tokenizer}: eos_token is an object": all_of(write(special, {}), set_json(tokenizer, eos_token={"content": "</s>"})),
        f"{tokenizer}: eos_token is an object, and known": all_of(
            write(special, {"eos_token": {"content": "</s>"}}), set_json(tokenizer, eos_token={"content": "</s>"})),
        f"{tokenizer}: eos_token is an object, and a text elsewhere": all_of(
            write(special, {"eos_token": "</s>"}), set_json(tokenizer, eos_token={"content": "</s>"})),
        f"{tokenizer}: eos_token is a number": all_of(write(special, {}), set_json(tokenizer, eos_token=7)),
        f"{tokenizer}: pad_token is a boolean": all_of(write(special, {}), set_json(tokenizer, pad_token=True)),
        f"{tokenizer}: bos_token is a list": all_of(write(special, {}), set_json(tokenizer, bos_token=["a"])),
        f"{tokenizer}: eos_token has no content": all_of(write(special, {}), set_json(tokenizer, eos_token={"text": "a"})),
        f"{special}: eos_token is a number": write(special, {"eos_token": 7}),
        f"{special}: eos_token is a list": write(special, {"eos_token": ["a"]}),
        f"{special}: content is a number": write(special, {"eos_token": {"content": 7}}),
        f"{special}: content is an object": write(special, {"pad_token": {"content": {}}}),
        f"{tokenizer}: added_tokens_decoder by names": all_of(
            unknown, set_json(tokenizer, eos_token="</s>", added_tokens_decoder={"x": {"content": "</s>"}})),
        f"{tokenizer}: added_tokens_decoder is a list": all_of(unknown, set_json(tokenizer, added_tokens_decoder=[decoder])),
        f"{tokenizer}: added_tokens_decoder of numbers": all_of(unknown, set_json(tokenizer, added_tokens_decoder={"1": 7})),
        f"{tokenizer}: chat_template is a number": set_json(tokenizer, chat_template=7),
        f"{tokenizer}: chat_template is a list": set_json(tokenizer, chat_template=[{"name": "default", "template": "a"}]),
        **types_of(folder + CONFIG, ["pad_token_id", "bos_token_id", "eos_token_id"]),
        f"{pair}: eos_token_id is a text": note(pair, "eos_token_id", "x"),
        f"{pair}: pad_token_id is a text": note(pair, "pad_token_id", "x"),
        f"{pair}: bos_token_id is -1": note(pair, "bos_token_id", "-1"),
        f"{pair}: chat_template is empty": note(pair, "chat_template", ""),
        f"{pair}: input_ids renamed": rename(pair, "input_ids"),
        f"{pair}: attention_mask renamed": rename(pair, "attention_mask"),
        f"{pair}: input_ids are i32": graph(pair, convert("input_ids", "i32")),
        f"{pair}: input_ids are f32": graph(pair, convert("input_ids", "f32")),
        f"{pair}: attention_mask is i32": graph(pair, convert("attention_mask", "i32")),
        f"{pair}: input_ids of rank 1": graph(pair, flat("input_ids")),
        f"{pair}: a further output": graph(pair, extra_output),
        f"{pair}: a further input": graph(pair, idle_input),
        f"{folder}{DETOKENIZER}: a further input": graph(folder + DETOKENIZER, idle_input),
        f"{folder}{DETOKENIZER}: a further output": graph(folder + DETOKENIZER, lambda model: model.add_results(
            [op.result(op.shape_of(model.get_parameters()[0]))])),
        f"{folder}{DETOKENIZER}: input i32": graph(folder + DETOKENIZER, retype("", "i32")),
        f"{folder}{DETOKENIZER} removed": without(folder + DETOKENIZER),
        f"{folder}{DETOKENIZER}.xml half": half(folder + DETOKENIZER + ".xml"),
        f"{folder}{DETOKENIZER}.bin is a pointer": write(folder + DETOKENIZER + ".bin", POINTER),
        f"{folder}{TOKENIZER} removed": without(pair),
        f"{folder}{TOKENIZER}.bin half": half(pair + ".bin"),
        "no tokenizer and no detokenizer": all_of(without(pair), without(folder + DETOKENIZER)),
    }


def setting(**values):
    return set_json(GENERATION, **values)


def settings():
    faults = {
        "num_return_sequences 0": setting(num_return_sequences=0),
        "num_return_sequences 3": setting(num_return_sequences=3),
        "num_return_sequences 3 with 2 beams": setting(num_beams=2, num_return_sequences=3),
        "num_return_sequences 2 with 2 beams": setting(num_beams=2, num_return_sequences=2),
        "num_return_sequences 2 with samples": setting(do_sample=True, num_return_sequences=2),
        "num_return_sequences -1": setting(num_return_sequences=-1),
        "presence_penalty 3": setting(presence_penalty=3.0),
        "presence_penalty -2.5": setting(presence_penalty=-2.5),
        "frequency_penalty -3": setting(frequency_penalty=-3.0),
        "frequency_penalty 2": setting(frequency_penalty=2.0),
        "presence_penalty with beams": setting(num_beams=2, presence_penalty=0.5),
        "frequency_penalty with beams": setting(num_beams=2, frequency_penalty=0.5),
        "repetition_penalty with beams": setting(num_beams=2, repetition_penalty=1.2),
        "repetition_penalty 0": setting(repetition_penalty=0.0),
        "repetition_penalty -1": setting(repetition_penalty=-1.0),
        "max_ngram_size 3": setting(max_ngram_size=3),
        "max_ngram_size 3 with num_assistant_tokens": setting(max_ngram_size=3, num_assistant_tokens=5),
        "num_assistant_tokens 5": setting(num_assistant_tokens=5),
        "assistant_confidence_threshold": setting(assistant_confidence_threshold=0.4),
        "both of the assistant": setting(assistant_confidence_threshold=0.4, num_assistant_tokens=3),
        "beams with an assistant": setting(num_beams=2, num_assistant_tokens=3),
        "no_repeat_ngram_size 0": setting(no_repeat_ngram_size=0),
        "no_repeat_ngram_size 0 with beams": setting(num_beams=2, no_repeat_ngram_size=0),
        "no_repeat_ngram_size 2 with beams": setting(num_beams=2, no_repeat_ngram_size=2),
        "beams in groups": setting(num_beams=4, num_beam_groups=2, diversity_penalty=1.0),
        "beams in groups without a penalty": setting(num_beams=4, num_beam_groups=2),
        "beams in groups, penalty 0": setting(num_beams=4, num_beam_groups=2, diversity_penalty=0.0),
        "3 beams in 2 groups": setting(num_beams=3, num_beam_groups=2, diversity_penalty=1.0),
        "a diversity penalty without groups": setting(num_beams=2, diversity_penalty=1.0),
        "a diversity penalty without beams": setting(diversity_penalty=1.0),
        "beams with samples": setting(num_beams=2, do_sample=True),
        "temperature 0 with samples": setting(do_sample=True, temperature=0.0),
        "temperature 0 without samples": setting(do_sample=False, temperature=0.0),
        "top_p 0 with samples": setting(do_sample=True, top_p=0.0),
        "top_p 2 without samples": setting(do_sample=False, top_p=2.0),
        "top_p 2 with samples": setting(do_sample=True, top_p=2.0),
        "min_p 1 with samples": setting(do_sample=True, min_p=1.0),
        "min_p -1 with samples": setting(do_sample=True, min_p=-1.0),
        "min_p 1 without samples": setting(min_p=1.0),
        "top_k 0 with samples": setting(do_sample=True, top_k=0),
        "max_new_tokens 0": setting(max_new_tokens=0),
        "max_length 0": setting(max_length=0),
        "min_new_tokens above max_new_tokens": setting(min_new_tokens=9, max_new_tokens=5),
        "min_new_tokens 4": setting(min_new_tokens=4),
        "ignore_eos": setting(ignore_eos=True),
        "a tree without a branch": setting(tree_depth=2, num_assistant_tokens=3, branching_factor=0),
        "a tree deeper than tokens": setting(tree_depth=5, num_assistant_tokens=3, branching_factor=2),
        "a tree without tokens": setting(tree_depth=2, branching_factor=2),
        "early_stopping a text": setting(early_stopping="never"),
        "early_stopping a number": setting(early_stopping=7),
        "eos [1, -7]": setting(eos_token_id=[1, -7]),
        "eos []": setting(eos_token_id=[]),
        "eos -1": setting(eos_token_id=-1),
        "eos -2": setting(eos_token_id=-2),
        "eos 5000": setting(eos_token_id=5000),
        "eos 3.5": setting(eos_token_id=3.5),
        "eos [3.5]": setting(eos_token_id=[3.5]),
        "eos [true]": setting(eos_token_id=[True]),
        "eos [null]": write(GENERATION, '{"eos_token_id": [null]}'),
        "eos 2^70": write(GENERATION, '{"eos_token_id": 1180591620717411303424}'),
        "a number too large": write(GENERATION, '{"eos_token_id": 1, "temperature": 1e999}'),
        "a NaN": write(GENERATION, '{"eos_token_id": 1, "temperature": NaN}'),
        "a key twice": write(GENERATION, '{"eos_token_id": 1, "eos_token_id": 2}'),
        "stop_strings a text": setting(stop_strings="x"),
        "stop_strings of numbers": setting(stop_strings=[7]),
        "stop_strings of texts": setting(stop_strings=["no such text"]),
        **broken(GENERATION),
        f"{GENERATION} removed": remove(GENERATION),
    }
    keys = (
        "eos_token_id max_new_tokens max_length min_new_tokens ignore_eos include_stop_str_in_output echo logprobs repetition_penalty "
        "frequency_penalty presence_penalty num_beams num_beam_groups diversity_penalty length_penalty num_return_sequences "
        "no_repeat_ngram_size do_sample temperature top_p top_k min_p assistant_confidence_threshold num_assistant_tokens "
        "max_ngram_size branching_factor tree_depth").split()
    for key in keys:
        faults[f"{key} is a text"] = setting(**{key: "x"})
        faults[f"{key} is an object"] = setting(**{key: {"a": 1}})
        faults[f"{key} is a list"] = setting(**{key: [1]})
    for key in ("ignore_eos", "include_stop_str_in_output", "echo", "do_sample"):
        faults[f"{key} is a number"] = setting(**{key: 1})
    for key in ("num_beams", "eos_token_id", "max_new_tokens", "temperature", "top_k"):
        faults[f"{key} is true"] = setting(**{key: True})
    return {f"{GENERATION}: {name}" if not name.startswith(GENERATION) else name: edit for name, edit in faults.items()}


def no_end(**more):
    """No token that ends a text, but for what is given of `config.json`."""

    def edit(folder):
        for name in (GENERATION, CONFIG):
            if (folder / name).exists():
                set_json(name, eos_token_id=None)(folder)
        if (folder / "tokenizer_config.json").exists():
            set_json("tokenizer_config.json", eos_token=None)(folder)
        if (folder / "special_tokens_map.json").exists():
            set_json("special_tokens_map.json", eos_token=None)(folder)
        for model in (TOKENIZER, DETOKENIZER):
            note(model, "eos_token_id", None)(folder)
        for name, value in more.items():
            set_json({"config": CONFIG, "generation": GENERATION}[name], eos_token_id=value)(folder)

    return edit


def language(model, embeds):
    """Faults of a language model, which takes tokens or embeddings."""
    first = "inputs_embeds" if embeds else "input_ids"
    rows = {
        "logits renamed": rename(model, "logits"),
        "logits f16": graph(model, convert("logits", "f16")),
        "logits of rank 2": graph(model, flat("logits")),
        "logits 5 wider": graph(model, wider("logits", 2, 5)),
        f"{first} renamed": rename(model, first),
        f"{first} of other type": graph(model, retype(first, "f16" if embeds else "i32")),
        f"{first} of a rank more": graph(model, deepen(first)),
        "attention_mask renamed": rename(model, "attention_mask"),
        "attention_mask i32": graph(model, retype("attention_mask", "i32")),
        "attention_mask f32": graph(model, retype("attention_mask", "f32")),
        "attention_mask of a rank more": graph(model, deepen("attention_mask")),
        "attention_mask dropped": graph(model, drop_input("attention_mask", first if not embeds else "position_ids", 1)),
        "position_ids renamed": rename(model, "position_ids"),
        "position_ids i32": graph(model, retype("position_ids", "i32")),
        "position_ids f32": graph(model, retype("position_ids", "f32")),
        "position_ids of a rank more": graph(model, deepen("position_ids")),
        "position_ids dropped": graph(model, drop_input("position_ids", "attention_mask" if embeds else "input_ids")),
        "beam_idx renamed": rename(model, "beam_idx"),
        "beam_idx i64": graph(model, retype("beam_idx", "i64")),
        "beam_idx of a rank more": graph(model, deepen("beam_idx")),
        "beam_idx dropped": graph(model, no_beams(first)),
        "a further input": graph(model, extra_input("attention_mask")),
        "a further input added to the positions": graph(model, extra_input("position_ids")),
        "a further input added to the first": graph(model, extra_input(first)),
        "an idle input": graph(model, idle_input),
        "a further output": graph(model, extra_output),
        "a further output before the others": graph(model, first_output),
    }
    return {f"{model}: {name}": edit for name, edit in rows.items()}


def encoder_like(extra):
    """Faults of a model that takes a whole text."""
    rows = {
        "input_ids renamed": rename(MODEL, "input_ids"),
        "input_ids i32": graph(MODEL, retype("input_ids", "i32")),
        "input_ids of a rank more": graph(MODEL, deepen("input_ids")),
        "attention_mask renamed": rename(MODEL, "attention_mask"),
        "attention_mask i32": graph(MODEL, retype("attention_mask", "i32")),
        "attention_mask dropped": graph(MODEL, drop_input("attention_mask", "input_ids", 1)),
        "token_type_ids renamed": rename(MODEL, "token_type_ids"),
        "token_type_ids i32": graph(MODEL, retype("token_type_ids", "i32")),
        "token_type_ids dropped": graph(MODEL, drop_input("token_type_ids", "input_ids")),
        "static": graph(MODEL, static(input_ids=[1, 4], attention_mask=[1, 4])),
        "a further input": graph(MODEL, extra_input("input_ids")),
        "an idle input": graph(MODEL, idle_input),
        "a further output": graph(MODEL, extra_output),
        "a further output before the others": graph(MODEL, first_output),
        "a further input position_ids": graph(MODEL, lambda model: (
            extra_input("input_ids")(model), parameter(model, "extra").output(0).get_tensor().set_names({"position_ids"}))),
        **extra,
    }
    return {f"{MODEL}: {name}": edit for name, edit in rows.items()}


LLM = {
    **files_of(MODEL),
    **tokens(),
    **settings(),
    **language(MODEL, embeds=False),
    **broken(CONFIG),
    f"{CONFIG} removed": remove(CONFIG),
    "no eos anywhere": no_end(),
    "eos only in config.json": no_end(config=1),
    "eos only in config.json, as a list": no_end(config=[1, 2]),
    "eos only in config.json, true": no_end(config=True),
    "eos true": no_end(generation=True),
    "eos a list of one": no_end(generation=[1]),
    "no eos but max_length": all_of(no_end(), setting(max_length=20)),
    "all static": graph(MODEL, static(input_ids=[1, 4], attention_mask=[1, 4], position_ids=[1, 4], beam_idx=[1])),
}

EMBEDDING = {
    **files_of(MODEL),
    **tokens(),
    **encoder_like({
        "last_hidden_state renamed": rename(MODEL, "last_hidden_state"),
        "last_hidden_state f16": graph(MODEL, convert("last_hidden_state", "f16")),
        "last_hidden_state of rank 2": graph(MODEL, flat("last_hidden_state")),
    }),
    **broken(CONFIG),
    **types_of(CONFIG, ["max_position_embeddings"]),
    f"{CONFIG} removed": remove(CONFIG),
}

RERANKER = {
    **files_of(MODEL),
    **tokens(),
    **encoder_like({
        "logits renamed": rename(MODEL, "logits"),
        "logits f16": graph(MODEL, convert("logits", "f16")),
        "logits of rank 1": graph(MODEL, flat("logits")),
        "logits of 2 labels": graph(MODEL, wider("logits", 1, 1)),
    }),
    **broken(CONFIG),
    **types_of(CONFIG, ["model_type"]),
    f"{CONFIG} removed": remove(CONFIG),
    f"{CONFIG}: model_type qwen3": set_json(CONFIG, model_type="qwen3"),
    "processed_post_processor_template removed": note(TOKENIZER, "processed_post_processor_template", None),
    "processed_post_processor_template does not parse": note(TOKENIZER, "processed_post_processor_template", "{"),
    "processed_post_processor_template has no pair": note(
        TOKENIZER, "processed_post_processor_template", '{&quot;single&quot;: {&quot;ids&quot;: [-1]}}'),
}

WHISPER = {
    **files_of(ENCODER),
    **files_of(DECODER),
    **tokens(),
    **settings(),
    **broken(CONFIG, PREPROCESSOR),
    **types_of(CONFIG, ["max_source_positions"]),
    **types_of(PREPROCESSOR, ["feature_size", "sampling_rate", "hop_length", "n_fft", "chunk_length", "n_samples", "nb_max_frames"]),
    **types_of(GENERATION, ["decoder_start_token_id", "pad_token_id", "no_timestamps_token_id", "prev_sot_token_id",
                            "max_initial_timestamp_index", "is_multilingual", "lang_to_id", "task_to_id", "suppress_tokens",
                            "begin_suppress_tokens", "alignment_heads"]),
    **{f"{model}: {name}": graph(model, change) for model, changes in {
        ENCODER: {
            "input_features f16": retype("input_features", "f16"),
            "input_features of a rank more": deepen("input_features"),
            "static": static(input_features=[1, 80, 3000]),
            "static for two": static(input_features=[2, 80, 3000]),
            "a further input": extra_input("input_features"),
            "an idle input": idle_input,
            "a further output": extra_output,
            "a further output before the others": first_output,
            "last_hidden_state f16": convert("last_hidden_state", "f16"),
            "last_hidden_state 8 wider": wider("last_hidden_state", 2, 8),
            "last_hidden_state of rank 2": flat("last_hidden_state"),
        },
        DECODER: {
            "input_ids i32": retype("input_ids", "i32"),
            "input_ids of a rank more": deepen("input_ids"),
            "encoder_hidden_states f16": retype("encoder_hidden_states", "f16"),
            "beam_idx i64": retype("beam_idx", "i64"),
            "beam_idx dropped": no_beams("input_ids"),
            "a further input": extra_input("input_ids"),
            "an idle input": idle_input,
            "a further output": extra_output,
            "a further output before the others": first_output,
            "logits f16": convert("logits", "f16"),
            "logits of rank 2": flat("logits"),
            "logits 5 wider": wider("logits", 2, 5),
        },
    }.items() for name, change in changes.items()},
    **{f"{model}: {name} renamed": rename(model, name) for model, name in [
        (ENCODER, "input_features"), (ENCODER, "last_hidden_state"), (DECODER, "input_ids"), (DECODER, "beam_idx"),
        (DECODER, "encoder_hidden_states"), (DECODER, "logits")]},
    f"{PREPROCESSOR} removed": remove(PREPROCESSOR),
    "feature_size 81": set_json(PREPROCESSOR, feature_size=81),
    "feature_size 0": set_json(PREPROCESSOR, feature_size=0),
    "nb_max_frames 1500": set_json(PREPROCESSOR, nb_max_frames=1500),
    "hop_length 0": set_json(PREPROCESSOR, hop_length=0),
    "n_fft 0": set_json(PREPROCESSOR, n_fft=0),
    "n_fft 401": set_json(PREPROCESSOR, n_fft=401),
    "sampling_rate 8000": set_json(PREPROCESSOR, sampling_rate=8000),
    "sampling_rate 0": set_json(PREPROCESSOR, sampling_rate=0),
    "n_samples 0": set_json(PREPROCESSOR, n_samples=0),
    "chunk_length 0": set_json(PREPROCESSOR, chunk_length=0),
    "no eos": no_end(),
    "no eos but in config.json": no_end(config=5),
    "no eos but a list": no_end(generation=[5]),
    "no eos but a list in config.json": no_end(config=[5]),
    "no eos and no tokenizer": all_of(no_end(), without(TOKENIZER)),
    "lang_to_id empty": setting(lang_to_id={}),
    "lang_to_id removed": setting(lang_to_id=None),
    "lang_to_id of texts": setting(lang_to_id={"<|en|>": "x"}),
    "lang_to_id of nulls": setting(lang_to_id={"<|en|>": None}),
    "lang_to_id of booleans": setting(lang_to_id={"<|en|>": True}),
    "lang_to_id of lists": setting(lang_to_id={"<|en|>": [1]}),
    "lang_to_id -1": setting(lang_to_id={"<|en|>": -1}),
    "lang_to_id far outside": setting(lang_to_id={"<|en|>": 500000000}),
    "not multilingual, and no lang_to_id": setting(is_multilingual=False, lang_to_id=None),
    "not multilingual, and lang_to_id of texts": setting(is_multilingual=False, lang_to_id={"<|en|>": "x"}),
    "task_to_id removed": setting(task_to_id=None),
    "task_to_id of texts": setting(task_to_id={"transcribe": "x"}),
    "task_to_id translate a text": setting(task_to_id__translate="x"),
    "task_to_id of lists": setting(task_to_id={"transcribe": [1]}),
    "not multilingual, and task_to_id of texts": setting(is_multilingual=False, task_to_id={"transcribe": "x"}),
    "decoder_start_token_id removed": setting(decoder_start_token_id=None),
    "decoder_start_token_id -1": setting(decoder_start_token_id=-1),
    "decoder_start_token_id 1000000": setting(decoder_start_token_id=1000000),
    "no_timestamps_token_id 500000000": setting(no_timestamps_token_id=500000000),
    "suppress_tokens -1": setting(suppress_tokens=[-1]),
    "suppress_tokens far outside": setting(suppress_tokens=[500000000]),
    "begin_suppress_tokens far outside": setting(begin_suppress_tokens=[500000000]),
    "begin_suppress_tokens of nulls": setting(begin_suppress_tokens=[None]),
    "alignment_heads of texts": setting(alignment_heads=[["a", "b"]]),
    "alignment_heads of one number": setting(alignment_heads=[[1]]),
    "alignment_heads of three numbers": setting(alignment_heads=[[0, 0, 0]]),
}

PARTS = [f"{part}/{MODEL}" for part in ("text_encoder", "unet", "vae_decoder")]
ENCODES, UNET, VAE = PARTS
DIFFUSION = {
    **{name: edit for part in PARTS for name, edit in files_of(part).items()},
    **tokens("tokenizer/"),
    **broken(INDEX, SCHEDULER, "unet/config.json", "text_encoder/config.json", "vae_decoder/config.json"),
    **{f"{part} removed": remove(part) for part in ("scheduler", "tokenizer", "text_encoder", "unet", "vae_decoder", "vae_encoder")},
    **{f"{part}/config.json removed": remove(f"{part}/config.json") for part in ("text_encoder", "unet", "vae_decoder", "vae_encoder")},
    **types_of("unet/config.json", ["in_channels", "sample_size", "time_cond_proj_dim"]),
    **types_of("text_encoder/config.json", ["max_position_embeddings", "num_hidden_layers"]),
    **types_of("vae_decoder/config.json", ["in_channels", "latent_channels", "out_channels", "shift_factor", "scaling_factor", "block_out_channels"]),
    **types_of(SCHEDULER, ["num_train_timesteps", "beta_start", "beta_end", "beta_schedule", "trained_betas", "clip_sample", "steps_offset",
                           "set_alpha_to_one", "prediction_type", "thresholding", "timestep_spacing", "rescale_betas_zero_snr",
                           "_class_name"]),
    **types_of(INDEX, ["_class_name", "text_encoder", "unet", "vae", "tokenizer", "scheduler"]),
    **{f"{INDEX}: {part} is {value}": set_json(INDEX, **{part: value}) for part in ("text_encoder", "unet", "vae") for value in (
        ["transformers", "FooModel"], [None, None], ["transformers"], ["transformers", 7])},
    **{f"{INDEX}: {part} removed": set_json(INDEX, **{part: None}) for part in
       ("_class_name", "text_encoder", "unet", "vae", "tokenizer", "scheduler")},
    **{f"{INDEX}: _class_name is {name}": set_json(INDEX, _class_name=name) for name in (
        "FooPipeline", "StableDiffusionXLPipeline", "StableDiffusion3Pipeline", "FluxPipeline", "LatentConsistencyModelPipeline",
        "StableDiffusionImg2ImgPipeline")},
    f"{INDEX}: text_encoder with a projection": set_json(INDEX, text_encoder=["transformers", "CLIPTextModelWithProjection"]),
    f"{INDEX}: transformer for unet": set_json(INDEX, unet=None, transformer=["diffusers", "SD3Transformer2DModel"]),
    **{f"the scheduler is {name}": set_json(SCHEDULER, _class_name=name) for name in (
        "DPMSolverMultistepScheduler", "UniPCMultistepScheduler", "LMSDiscreteScheduler", "EulerDiscreteScheduler", "LCMScheduler",
        "EulerAncestralDiscreteScheduler", "FlowMatchEulerDiscreteScheduler", "PNDMScheduler", "DDIMScheduler")},
    **{f"{name}, {what}": write(SCHEDULER, {"_class_name": f"{name}Scheduler", **values}) for name in (
        "DDIM", "PNDM", "LCM", "EulerDiscrete", "EulerAncestralDiscrete") for what, values in {
        "defaults": {}, "clip_sample": {"clip_sample": True}, "no clip_sample": {"clip_sample": False},
        "skip_prk_steps": {"skip_prk_steps": True, "clip_sample": False}, "thresholding": {"thresholding": True, "clip_sample": False},
        "karras": {"use_karras_sigmas": True, "clip_sample": False, "skip_prk_steps": True},
        "exponential": {"use_exponential_sigmas": True, "clip_sample": False, "skip_prk_steps": True},
        "beta sigmas": {"use_beta_sigmas": True, "clip_sample": False, "skip_prk_steps": True},
        "prediction sample": {"prediction_type": "sample", "clip_sample": False, "skip_prk_steps": True},
        "prediction foo": {"prediction_type": "foo", "clip_sample": False, "skip_prk_steps": True},
        "empty prediction": {"prediction_type": "", "clip_sample": False, "skip_prk_steps": True},
        "squaredcos": {"beta_schedule": "squaredcos_cap_v2", "clip_sample": False, "skip_prk_steps": True},
        "spacing foo": {"timestep_spacing": "foo", "clip_sample": False, "skip_prk_steps": True},
        "trailing": {"timestep_spacing": "trailing", "clip_sample": False, "skip_prk_steps": True},
        "final_sigmas_type foo": {"final_sigmas_type": "foo", "clip_sample": False, "skip_prk_steps": True},
        "interpolation_type foo": {"interpolation_type": "foo", "clip_sample": False, "skip_prk_steps": True},
        "timestep_type foo": {"timestep_type": "foo", "clip_sample": False, "skip_prk_steps": True},
        "log_linear": {"interpolation_type": "log_linear", "clip_sample": False, "skip_prk_steps": True},
        "1 training step": {"num_train_timesteps": 1, "clip_sample": False, "skip_prk_steps": True},
        "0 training steps": {"num_train_timesteps": 0, "clip_sample": False, "skip_prk_steps": True},
        "sigma_max": {"sigma_max": 2.0, "clip_sample": False, "skip_prk_steps": True},
        "trained_betas of texts": {"trained_betas": ["x"], "clip_sample": False, "skip_prk_steps": True},
    }.items()},
    **{f"{part}: {name}": graph(part, change) for part, changes in {
        ENCODES: {
            "input_ids i32": retype("input_ids", "i32"), "an input more": extra_input("input_ids"), "an idle input": idle_input,
            "an output more": extra_output, "an output more before": first_output, "last_hidden_state f16": convert("", "f16"),
            "last_hidden_state wider": wider("", 2, 8), "input_ids of a rank more": deepen("input_ids"),
            "static for one": static(input_ids=[1, 77]), "static of 64": static(input_ids=[2, 64]),
        },
        UNET: {
            "timestep f32": retype("timestep", "f32"), "timestep i32": retype("timestep", "i32"), "sample f16": retype("sample", "f16"),
            "encoder_hidden_states f16": retype("encoder_hidden_states", "f16"), "an input more": extra_input("sample"),
            "timestep of a rank more": deepen("timestep"),
            "an idle input": idle_input, "an output more": extra_output, "an output more before": first_output,
            "output f16": convert("", "f16"), "output wider": wider("", 1, 1), "sample of a rank more": deepen("sample"),
            "static for one": static(sample=[1, 4, 16, 16]),
        },
        VAE: {
            "input f16": retype("", "f16"), "an input more": extra_input(""), "an idle input": idle_input, "an output more": extra_output,
            "an output more before": first_output, "output f16": convert("", "f16"), "output wider": wider("", 1, 1),
        },
    }.items() for name, change in changes.items()},
    **{f"{part}: {name} renamed": rename(part, name) for part, name in [
        (UNET, "sample"), (UNET, "timestep"), (UNET, "encoder_hidden_states"), (UNET, "out_sample"), (VAE, "latent_sample"),
        (VAE, "sample"), (ENCODES, "input_ids"), (ENCODES, "last_hidden_state")]},
    "time_cond_proj_dim 32 without an input": set_json("unet/config.json", time_cond_proj_dim=32),
    "time_cond_proj_dim -1": set_json("unet/config.json", time_cond_proj_dim=-1),
    "in_channels 9": set_json("unet/config.json", in_channels=9),
    "in_channels removed": set_json("unet/config.json", in_channels=None),
    "latent_channels 16": set_json("vae_decoder/config.json", latent_channels=16),
    "latent_channels removed": set_json("vae_decoder/config.json", latent_channels=None),
    "block_out_channels of 3": set_json("vae_decoder/config.json", block_out_channels=[8, 8, 8]),
    "cross_attention_dim 768": set_json("unet/config.json", cross_attention_dim=768),
    "block_out_channels of none": set_json("vae_decoder/config.json", block_out_channels=[]),
    "block_out_channels removed": set_json("vae_decoder/config.json", block_out_channels=None),
    "scaling_factor removed": set_json("vae_decoder/config.json", scaling_factor=None),
    "max_position_embeddings 40": set_json("text_encoder/config.json", max_position_embeddings=40),
    "max_position_embeddings removed": set_json("text_encoder/config.json", max_position_embeddings=None),
    "max_position_embeddings 0": set_json("text_encoder/config.json", max_position_embeddings=0),
}

VISUAL = {
    **files_of(LANGUAGE),
    **files_of(VISION),
    **files_of(TEXT),
    **tokens(),
    **settings(),
    **language(LANGUAGE, embeds=True),
    **broken(CONFIG, PREPROCESSOR, "video_preprocessor_config.json"),
    **{f"{part}: {name}": graph(part, change) for part, changes in {
        TEXT: {
            "input i32": retype("", "i32"), "an input more": extra_input(""), "an idle input": idle_input, "an output more": extra_output,
            "an output more before": first_output, "output f16": convert("", "f16"), "output wider": wider("", 2, 8),
            "output of rank 2": flat(""),
        },
        VISION: {
            "pixel_values f16": retype("pixel_values", "f16"), "pixel_values of rank 5": deepen("pixel_values"),
            "an input more": extra_input("pixel_values"), "an idle input": idle_input, "an output more": extra_output,
            "an output more before": first_output, "output f16": convert("", "f16"), "output wider": wider("", 2, 8),
            "output narrower": output("", lambda source: op.slice(source, op.constant([0]), op.constant([8]), op.constant([1]), op.constant([2]))),
            "output of rank 2": flat(""), "static for two": static(pixel_values=[2, 3, 32, 32]),
        },
    }.items() for name, change in changes.items()},
    **{f"{part}: {name} renamed": rename(part, name) for part, name in [
        (TEXT, "input"), (TEXT, "input_ids"), (TEXT, "inputs_embeds"), (VISION, "pixel_values"), (VISION, "last_hidden_state")]},
    "no chat template": all_of(remove("chat_template.jinja"), note(TOKENIZER, "chat_template", None)),
    "chat_template.jinja empty": all_of(write("chat_template.jinja", ""), note(TOKENIZER, "chat_template", None)),
    "chat_template.jinja does not parse": all_of(write("chat_template.jinja", "{% for %}"), note(TOKENIZER, "chat_template", None)),
    "chat template in chat_template.json": all_of(
        remove("chat_template.jinja"), note(TOKENIZER, "chat_template", None),
        write("chat_template.json", {"chat_template": "{% for m in messages %}{{ m['content'] }}{% endfor %}"})),
    "chat template in tokenizer_config.json": all_of(
        remove("chat_template.jinja"), note(TOKENIZER, "chat_template", None),
        set_json("tokenizer_config.json", chat_template="{% for m in messages %}{{ m['content'] }}{% endfor %}")),
    "no eos anywhere": no_end(),
    "eos only in config.json": no_end(config=1),
    "eos only in config.json, as a list": no_end(config=[1, 2]),
    f"{CONFIG} removed": remove(CONFIG),
    f"{PREPROCESSOR} removed": remove(PREPROCESSOR),
    **types_of(CONFIG, ["hidden_size", "scale_emb", "query_num", "use_image_id", "image_newline", "model_type", "vision_config__patch_size",
                        "sub_GN", "text_config", "vision_config", "vision_config__window_size"]),
    **types_of(PREPROCESSOR, ["image_size", "patch_size", "scale_resolution", "max_slice_nums", "norm_mean", "norm_std", "image_mean",
                              "image_std", "crop_size", "crop_size__height", "size", "size__shortest_edge", "min_pixels", "merge_size",
                              "image_grid_pinpoints"]),
    **{f"model_type {name}": set_json(CONFIG, model_type=name) for name in (
        "mpt", "llava_next", "gemma3", "internvl_chat", "llava-qwen2", "minicpmv", "qwen2_vl", "qwen2_5_vl", "phi3_v", "phi4mm",
        "idefics3", "llama4", "muse_glimmer")},
    "model_type removed": set_json(CONFIG, model_type=None),
    "image_mean of 2": set_json(PREPROCESSOR, image_mean=[0.5, 0.5]),
    "image_mean of 4": set_json(PREPROCESSOR, image_mean=[0.5] * 4),
    "image_mean of texts": set_json(PREPROCESSOR, image_mean=["a", "b", "c"]),
    "image_mean a number": set_json(PREPROCESSOR, image_mean=0.5),
    "norm_mean of 2": set_json(PREPROCESSOR, norm_mean=[0.5, 0.5]),
    "crop_size removed": set_json(PREPROCESSOR, crop_size=None),
    "crop_size 40 x 40": set_json(PREPROCESSOR, crop_size={"height": 40, "width": 40}),
    "crop_size 8 x 8": set_json(PREPROCESSOR, crop_size={"height": 8, "width": 8}),
    "crop_size 0 x 0": set_json(PREPROCESSOR, crop_size={"height": 0, "width": 0}),
    "shortest_edge 20": set_json(PREPROCESSOR, size={"shortest_edge": 20}),
    "patch_size 0": set_json(CONFIG, vision_config__patch_size=0),
    "patch_size 8": set_json(CONFIG, vision_config__patch_size=8),
    "patch_size removed": set_json(CONFIG, vision_config=None),
    "image_token_index 9000": set_json(CONFIG, image_token_index=9000),
}

# The pipeline of openvino.genai, its faults, the sample of this repository, and those of the oracle.
KINDS = {
    "llm": (LLM, "llm", ["llm", "llm-qwen", "bare", "llm-int8", "llm-int4", "bare2"]),
    "embed": (EMBEDDING, "embedding", ["embed"]),
    "rerank": (RERANKER, "reranker", ["rerank"]),
    "whisper": (WHISPER, "whisper", ["whisper80", "whisper128"]),
    "t2i": (DIFFUSION, "diffusion", ["sd40", "sd64"]),
    "vlm": (VISUAL, "vision", ["vlm"]),
}
